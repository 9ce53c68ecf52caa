// SPDX-License-Identifier: BSD-2-Clause
// A made-up inter or intra picture: what a decoder has parsed of it, to be appended as words or to
// be reconstructed by FFmpeg's functions.
#pragma once

#include <vector>

#include "picture/stage.hpp"
#include "v3doff/vp9_words.h"
#include "vp9/filter/input.hpp"

struct FfdspVp9;

namespace tool::bench::vp9 {

using namespace v3doff;
using namespace v3doff::vp9;

struct MadeTransform {
    uint8_t plane, tx;
    uint16_t x, y;                 // 4x4 blocks of the plane
    uint32_t first, end;           // coefficients
    static constexpr int eob = 10; // holds all of them, whatever the size
};

struct MadeCoefficient {
    uint16_t place;
    int16_t token; // before it is multiplied
};

struct MadeBlock {
    uint16_t row, col; // 8x8 luma blocks
    uint8_t edge_log2; // 3 to 6, luma
    uint8_t mode;      // of an intra block
    bool intra, compound;
    int16_t vector[2][2]; // of each reference, x before y, in 1/8 luma sample
    uint32_t first, end;  // transforms
};

struct MadePicture {
    explicit MadePicture(const PictureFormat &format) : MadePicture(format, false) {}
    // But for blocks at the picture's border, where a decoder takes other functions.
    static MadePicture of_intra(const PictureFormat &format) { return {format, true}; }

    static constexpr uint32_t filter_level = 20;
    static constexpr int factor[2] = {40, 48}; // of the DC coefficient and of the others, even

    PictureFormat format;
    bool only_intra;
    std::vector<MadeBlock> blocks;
    std::vector<uint32_t> superblocks; // where the blocks of each end
    std::vector<MadeTransform> transforms;
    std::vector<MadeCoefficient> coefficients;
    std::vector<FilterSuperblock> filter;

  private:
    MadePicture(const PictureFormat &format, bool only_intra);
};

// What a decoder appends of one superblock, in raster order. There is room for it.
void append_made(const MadePicture &content, size_t superblock, v3doff_vp9_words &words);

// Motion compensation, transforms and intra prediction, block by block, without the loop filter.
void reconstruct_by_ffmpeg(const MadePicture &content, const FfdspVp9 &functions,
                           const PictureView &picture, const PictureView &reference);

} // namespace tool::bench::vp9
