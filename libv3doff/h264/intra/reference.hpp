// SPDX-License-Identifier: BSD-2-Clause
// H.264 intra macroblocks (ITU-T H.264 8.3, 8.5) in plain loops. The shader is compared with this,
// and this replaces it where it cannot run.
#pragma once

#include "h264/residual/macroblock.hpp"
#include "picture/stage.hpp"

namespace v3doff::h264 {

enum class IntraKind : uint8_t { blocks_4x4, blocks_8x8, whole_16x16, pcm };

// Modes are numbered as FFmpeg does (shaders/records/h264_intra.h), after it has replaced those
// whose neighbours are missing.
struct IntraMacroblock {
    uint16_t x, y; // in macroblocks
    IntraKind kind;
    uint8_t chroma_mode; // INTRA_WHOLE_*; of 4:2:0 and 4:2:2
    // 4x4: INTRA_* of each block in the order of 6.4.3. 8x8: of blocks 0, 4, 8 and 12. 16x16:
    // INTRA_WHOLE_* of block 0.
    uint8_t mode[16];
    // Bit 15 - i: whether the sample above and left of block i, the samples above and right of it,
    // may be used. 8x8 blocks i = 0, 4, 8, 12 have bit 14 - i for above and right.
    uint16_t top_left_available, top_right_available;
};

// Prediction and residual of a macroblock, all planes. Its neighbours are what they are before
// deblocking.
void intra_reconstruct_reference(const PictureView &picture, const IntraMacroblock &macroblock,
                                 const MacroblockResidual &residual);

} // namespace v3doff::h264
