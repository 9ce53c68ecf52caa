// SPDX-License-Identifier: BSD-2-Clause
// Loop filter inputs as a VP9 decoder makes them: random partitions, transform sizes, skipped
// blocks and levels, turned into edge masks by the rules of 8.8.2 and 8.8.3, with the deviations
// at odd picture edges that libvpx has and FFmpeg follows.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "picture/stage.hpp"
#include "vp9/filter/input.hpp"

namespace v3doff::check {

struct FilterBlock {
    unsigned row, col;      // 8x8 luma blocks from the picture's corner
    unsigned height, width; // in the same units: 1, 2, 4 or 8
    unsigned tx;            // 0 for 4x4 to 3 for 32x32
    bool skipped;           // no coefficients, and inter predicted
    unsigned level;
};

// The smaller of the block's transform and what fits its chroma.
unsigned chroma_tx(const PictureFormat &format, const FilterBlock &block);

// Marks the edges of one block. Blocks must come in the order in which they are decoded.
void mark_block(const PictureFormat &format, const FilterBlock &block,
                vp9::FilterSuperblock &superblock);

struct FilterMix {
    unsigned split = 50;     // percent of blocks that are parted
    unsigned smaller = 40;   // percent that a transform is halved, at each size
    unsigned tx4 = 25;       // the same for 8x8 to 4x4
    unsigned skipped = 33;   // percent of blocks
    unsigned unfiltered = 2; // percent of blocks with level 0
    unsigned level_low = 1, level_high = 63;
    bool one_level = false; // the picture has one level, as most have
};

// A random mix of all of the above.
FilterMix random_mix(std::mt19937 &random);

// A picture's blocks in the order in which they are decoded.
std::vector<FilterBlock> random_blocks(const PictureFormat &format, const FilterMix &mix,
                                       std::mt19937 &random);

// Their marks. Level bytes that no edge needs hold anything, as they do in a decoder.
std::vector<vp9::FilterSuperblock> random_superblocks(const PictureFormat &format,
                                                      const FilterMix &mix, std::mt19937 &random);

// Marks that no decoder makes: any edge whose samples are inside the picture, up to `density`
// percent of them; levels from 0 to 63.
std::vector<vp9::FilterSuperblock> wild_superblocks(const PictureFormat &format, unsigned density,
                                                    std::mt19937 &random);

// Samples that reach every branch of the filters: noise of an amplitude that changes from block to
// block, on plateaus and slopes, some of them at the ends of the range. Fills the padding, too.
void random_samples(const PlaneView &plane, unsigned bit_depth, std::mt19937 &random);

} // namespace v3doff::check
