// SPDX-License-Identifier: BSD-2-Clause
// What FFmpeg's functions for a whole macroblock do: which blocks have what done to them, from the
// counts of coefficients.
//
// Coefficients: 16 for each 4x4 block in the order of ITU-T H.264 6.4.3, so 8x8 block n begins at
// 64 * n; Cb's blocks begin at 16 * 16, Cr's at 32 * 16 of them. Counts: rows of 8 bytes, the one
// of the luma block at (x, y) of 4x4 at [(y + 1) * 8 + x + 4], Cb's 5 rows further, Cr's 10.
#pragma once

#include <array>
#include <cstdint>

#include "h264/residual/reference.hpp"
#include "v3doff/v3doff.h"

namespace v3doff::h264 {

// Numbered as in v3doff/h264.h.
enum class MacroblockGroup : unsigned { add16, add16_intra, add4, add8 };
inline constexpr unsigned kMacroblockGroups = 4;

struct MacroblockBlock {
    ResidualKind kind;
    uint32_t plane;  // 0; of add8 1 for Cb and 2 for Cr
    uint32_t x, y;   // samples from the macroblock's first one
    uint32_t number; // its coefficients begin at 16 * number
};

struct MacroblockBlocks {
    std::array<MacroblockBlock, 16> block;
    uint32_t count = 0;
};

// add16: a block with a count of 0 is left out, with a count of 1 and a DC coefficient it is DC
// alone. add4: the same with 8x8 blocks. add16_intra, add8: with a count of 0 a block is DC alone,
// or left out where that is 0 too. add8 is Cb and Cr; with 4:2:2 they have 8 blocks each, and the
// counts of the last four are those of the luma blocks 8 to 11.
MacroblockBlocks macroblock_blocks(MacroblockGroup group, v3doff_chroma chroma, int bit_depth,
                                   const uint8_t *counts, const void *coefficients);

// Where the count of block `number` of a plane is.
constexpr uint32_t count_place(uint32_t plane, uint32_t number) {
    const uint32_t x = (number & 1) + (number >> 2 & 1) * 2;
    const uint32_t y = (number >> 1 & 1) + (number >> 3 & 1) * 2;
    return (plane * 5 + y + 1) * 8 + x + 4;
}

} // namespace v3doff::h264
