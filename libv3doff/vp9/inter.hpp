// SPDX-License-Identifier: BSD-2-Clause
// What an inter block of the bitstream is predicted from, plane by plane: motion vectors to
// positions in the reference (VP9 bitstream specification 8.5.2.3), and where FFmpeg and libvpx
// differ from it, as they do it.
#pragma once

#include <array>

#include "core/picture_format.hpp"
#include "vp9/mc_reference.hpp"

namespace v3doff::vp9 {

class Mc;

struct MotionVector {
    int x = 0, y = 0; // 1/8 luma sample
};

// A reference of another size.
struct InterScale {
    bool scaled = false;
    int scale[2] = {};    // reference's size / picture's size in 1/16384, across and down
    uint8_t step[2] = {}; // the same in 1/16
};
// Throws INVALID_ARGUMENT where the sizes are too far apart (7.2).
InterScale inter_scale(const PictureFormat &picture, const PictureFormat &reference);

struct InterBlock {
    uint32_t col, row;           // 8x8 luma blocks
    uint32_t columns, rows;      // the same, of the block; at most what lies in one superblock
    bool quarters;               // each 4x4 luma block has a vector of its own
    std::array<MotionVector, 4> vector;
    uint8_t filter, reference;
    bool average;
};

void predict_block(const InterBlock &block, const PictureFormat &format, const InterScale &scale,
                   Mc &to);

} // namespace v3doff::vp9
