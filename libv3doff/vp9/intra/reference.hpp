// SPDX-License-Identifier: BSD-2-Clause
// VP9 intra prediction of a transform block (VP9 bitstream specification 8.5.1) in plain loops:
// what the shader is held against, and what is done where that cannot run.
#pragma once

#include "picture/stage.hpp"
#include "records/vp9_intra.h"

namespace v3doff::vp9 {

// x and y in samples of the plane. above and left: how many samples there are that count; 0: none.
struct IntraInput {
    uint32_t plane, x, y;
    uint8_t edge_log2; // 2 to 5
    uint8_t mode;      // INTRA_VERTICAL to INTRA_DC_129
    uint8_t above, left;
};

IntraInput intra_input(const IntraRecord &record);

// The mode that stands for a mode of the bitstream where neighbours are missing.
uint8_t intra_mode_at(unsigned mode, bool has_above, bool has_left);

void intra_predict_reference(const PictureView &picture, const IntraInput &block);

} // namespace v3doff::vp9
