// SPDX-License-Identifier: BSD-2-Clause
// What an inter block of the bitstream is predicted from, plane by plane: motion vectors to
// positions in the reference (VP9 bitstream specification 8.5.2.3), and where FFmpeg and libvpx
// differ from it, as they do it.
#pragma once

#include <array>
#include <vector>

#include "core/picture_format.hpp"
#include "vp9/mc_reference.hpp"

namespace v3doff::vp9 {

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

// Blocks of one picture from one reference.
class InterPredictor {
  public:
    InterPredictor() = default;
    InterPredictor(const PictureFormat &picture, const PictureFormat &reference);
    void predict(const InterBlock &block, std::vector<McInput> &to) const;

  private:
    // A rectangle of one plane with one vector. In samples; (part_x, part_y) is where it lies in its
    // block, (block_width, block_height) that block.
    struct Piece {
        unsigned plane;
        int x, y, width, height;
        int part_x, part_y, block_width, block_height;
    };
    void start(const Piece &piece, const MotionVector &vector, McInput &input) const;
    void predict_piece(const InterBlock &block, const Piece &piece, const MotionVector &vector,
                       std::vector<McInput> &to) const;
    void predict_quarters(const InterBlock &block, unsigned plane, std::vector<McInput> &to) const;

    InterScale scale_;
    unsigned planes_ = 0;
    uint8_t shift_x_[max_planes] = {}, shift_y_[max_planes] = {};
    uint32_t width_[max_planes] = {}, height_[max_planes] = {}; // of the reference
    int limit_x_ = 0, limit_y_ = 0; // of the picture, whole 8x8 blocks
};

} // namespace v3doff::vp9
