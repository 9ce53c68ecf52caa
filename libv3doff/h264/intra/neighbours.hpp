// SPDX-License-Identifier: BSD-2-Clause
// Which samples outside of an intra block its mode reads.
#pragma once

#include "h264/intra/reference.hpp"
#include "records/h264_intra.h"

namespace v3doff::h264 {

enum IntraReads : uint8_t {
    reads_left = 1,
    reads_above = 2,
    reads_corner = 4,      // above and left
    reads_above_right = 8, // where that is available
};

// Of a 4x4 block, ITU-T H.264 8.3.1.2. An 8x8 block reads the same and what the filter needs
// (intra_block_8x8_reads).
inline constexpr uint8_t intra_block_reads[INTRA_MODES] = {
    reads_above,
    reads_left,
    reads_left | reads_above,
    reads_above | reads_above_right,
    reads_left | reads_above | reads_corner,
    reads_left | reads_above | reads_corner,
    reads_left | reads_above | reads_corner,
    reads_above | reads_above_right,
    reads_left,
    reads_left,
    reads_above,
    0,
};

// 8.3.2.2.1: whatever reads the row above or the column on the left reads the corner too, and the
// row above goes on to the right, where those are available.
constexpr uint8_t intra_block_8x8_reads(unsigned mode, bool top_left, bool top_right) {
    const unsigned reads = intra_block_reads[mode] & ~unsigned(reads_above_right);
    const unsigned corner = reads && top_left ? unsigned(reads_corner) : 0u;
    const unsigned right = (reads & reads_above) && top_right ? unsigned(reads_above_right) : 0u;
    return uint8_t(reads | corner | right);
}

// Of 16x16 luma and of chroma, 8.3.3 and 8.3.4.
inline constexpr uint8_t intra_whole_reads[INTRA_WHOLE_MODES] = {
    reads_left | reads_above,
    reads_left,
    reads_above,
    reads_left | reads_above | reads_corner,
    reads_left,
    reads_above,
    0,
};

// Of which neighbouring macroblocks it reads samples: IntraReads. `chroma`: 4:2:0 or 4:2:2. Throws
// INVALID_ARGUMENT for a mode that does not exist.
uint8_t intra_macroblock_reads(const IntraMacroblock &macroblock, bool chroma);

} // namespace v3doff::h264
