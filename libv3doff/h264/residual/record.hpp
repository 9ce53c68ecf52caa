// SPDX-License-Identifier: BSD-2-Clause
// What single calls of a decoder record: blocks of residuals. Their coefficients are cleared,
// unless LIMIT is thrown. The blocks lie in the plane's memory (residual_fits), and the caller
// holds the lane.
#pragma once

#include "h264/residual/groups.hpp"
#include "h264/residual/pack.hpp"
#include "h264/residual/predict.hpp"
#include "picture/picture.hpp"

namespace v3doff::h264 {

void record_block(Picture &picture, uint32_t lane, const ResidualPlace &place, ResidualKind kind,
                  void *coefficients);

// The blocks of a macroblock, which is at the place; add8 is placed in plane 1.
void record_macroblock(Picture &picture, uint32_t lane, const ResidualPlace &place,
                       MacroblockGroup group, void *coefficients, const uint8_t *counts);

// A lossless block: predicts it now, and records the sums of its differences.
void record_prediction(Picture &picture, uint32_t lane, const ResidualPlace &place,
                       const Prediction &prediction, void *coefficients);

} // namespace v3doff::h264
