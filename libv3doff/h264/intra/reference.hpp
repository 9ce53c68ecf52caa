// SPDX-License-Identifier: BSD-2-Clause
// H.264 intra macroblocks (ITU-T H.264 8.3, 8.5) in plain loops. The shader is compared with this,
// and this replaces it where it cannot run.
#pragma once

#include <array>

#include "h264/residual/batch.hpp"
#include "picture/stage.hpp"
#include "records/h264_intra.h"

namespace v3doff::h264 {

enum class IntraKind : uint8_t { blocks_4x4, blocks_8x8, whole_16x16, pcm };

// Modes are numbered as FFmpeg does (shaders/records/h264_intra.h), after it has replaced those
// whose neighbours are missing.
struct IntraMacroblock {
    uint16_t x, y; // in macroblocks
    IntraKind kind;
    uint8_t chroma_mode; // INTRA_WHOLE_*, also those of half a left side; of 4:2:0 and 4:2:2
    // 4x4: INTRA_* of each block in the order of 6.4.3. 8x8: of blocks 0, 4, 8 and 12. 16x16:
    // INTRA_WHOLE_* of block 0.
    uint8_t mode[16];
    // Bit 15 - i: whether the sample above and left of block i, the samples above and right of it,
    // may be used. 8x8 blocks i = 0, 4, 8, 12 have bit 14 - i for above and right.
    uint16_t top_left_available, top_right_available;
    bool field; // of a field macroblock in an MBAFF frame
};

// Which samples outside of a block its mode reads.
enum IntraReads : uint8_t {
    reads_left = 1,
    reads_above = 2,
    reads_corner = 4,      // above and left
    reads_above_right = 8, // where that is available
};

// The samples of a 4x4 block's modes, ITU-T H.264 8.3.1.2. An 8x8 block reads the same and what the
// filter needs (intra_block_8x8_reads).
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

// Those of 16x16 luma and of chroma, 8.3.3 and 8.3.4.
inline constexpr uint8_t intra_whole_reads[INTRA_CHROMA_MODES] = {
    reads_left | reads_above,
    reads_left,
    reads_above,
    reads_left | reads_above | reads_corner,
    reads_left,
    reads_above,
    0,
    reads_left | reads_above,
    reads_left | reads_above,
    reads_left,
    reads_left,
};

// Of which samples a 4x4 block of chroma is the mean where its mode is one of DC (8.3.4.1 to
// 8.3.4.3): by block in raster order two bits, reads_left and reads_above.
constexpr uint16_t make_chroma_means(unsigned mode) {
    const unsigned reads = intra_whole_reads[mode];
    const bool above = reads & reads_above, left = reads & reads_left;
    unsigned all = 0;
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 2; x++) {
            // Blocks at one border only take that border's samples alone.
            unsigned of = 0;
            if (above && !(left && !x && y)) of |= reads_above;
            if (left && !(above && x && !y)) of |= reads_left;
            if (mode == INTRA_CHROMA_UPPER_LEFT_ABOVE && (x || y)) of = reads_above;
            if (mode == INTRA_CHROMA_LOWER_LEFT_ABOVE && !x && !y) of = reads_above;
            if (mode == INTRA_CHROMA_UPPER_LEFT && y == 1) of = 0;
            if (mode == INTRA_CHROMA_LOWER_LEFT && y == 0) of = 0;
            all |= of << 2 * (2 * y + x);
        }
    return uint16_t(all);
}
inline constexpr std::array<uint16_t, INTRA_CHROMA_MODES> intra_chroma_means = [] {
    std::array<uint16_t, INTRA_CHROMA_MODES> means{};
    for (unsigned mode = 0; mode < means.size(); mode++)
        means[mode] = make_chroma_means(mode);
    return means;
}();

// Prediction and residual of a macroblock, all planes. Its neighbours are what they are before
// deblocking.
void intra_reconstruct_reference(const PictureView &picture, const IntraMacroblock &macroblock,
                                 const MacroblockResidual &residual);

} // namespace v3doff::h264
