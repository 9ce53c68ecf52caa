// SPDX-License-Identifier: BSD-2-Clause
// A made-up inter or intra picture: what a decoder has parsed of it, to be appended as words or to
// be reconstructed by the decoder's own functions. Plain data and loops, which the tool's bench
// compiles too.
#pragma once

#include <vector>

#include "picture/stage.hpp"
#include "v3doff/recipe.h"
#include "v3doff/vp9_words.h"
#include "vp9/filter/input.hpp"

namespace v3doff::vp9 {

struct TrialTransform {
    uint8_t plane, tx;
    uint16_t x, y;                 // 4x4 blocks of the plane
    uint32_t first, end;           // coefficients
    static constexpr int eob = 10; // holds all of them, whatever the size
};

struct TrialCoefficient {
    uint16_t place;
    int16_t token; // before it is multiplied
};

struct TrialBlock {
    uint16_t row, col; // 8x8 luma blocks
    uint8_t edge_log2; // 3 to 6, luma
    uint8_t mode;      // of an intra block
    bool intra, compound;
    int16_t vector[2][2]; // of each reference, x before y, in 1/8 luma sample
    uint32_t first, end;  // transforms
};

struct TrialPicture {
    explicit TrialPicture(const PictureFormat &format) : TrialPicture(format, false) {}
    // But for blocks at the picture's border, where a decoder takes other functions.
    static TrialPicture of_intra(const PictureFormat &format) { return {format, true}; }

    static constexpr int factor[2] = {40, 48}; // of the DC coefficient and of the others, even

    PictureFormat format;
    bool only_intra;
    std::vector<TrialBlock> blocks;
    std::vector<uint32_t> superblocks; // where the blocks of each end
    std::vector<TrialTransform> transforms;
    std::vector<TrialCoefficient> coefficients;
    std::vector<FilterSuperblock> filter;

  private:
    TrialPicture(const PictureFormat &format, bool only_intra);
};

// What a decoder appends of one superblock, in raster order. There is room for it.
void append_trial(const TrialPicture &content, size_t superblock, v3doff_vp9_words &words);

// Motion compensation, transforms, intra prediction and loop filter, block by block, then the
// filter.
void reconstruct_trial(const TrialPicture &content, const v3doff_vp9dsp &simd,
                       const v3doff_vp9_intra_pred (*intra)[V3DOFF_VP9_INTRA_MODES],
                       const PictureView &picture, const PictureView &reference);

// Of the loop filter's own trial.
std::vector<FilterSuperblock> trial_superblocks(const PictureFormat &format);
void run_trial_filter(const v3doff_vp9dsp &simd, const PictureView &picture,
                      const FilterInput &input);

} // namespace v3doff::vp9
