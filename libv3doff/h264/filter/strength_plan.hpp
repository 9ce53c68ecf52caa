// SPDX-License-Identifier: BSD-2-Clause
// Boundary strengths for the GPU: one dispatch, whose records the deblocking passes read.
#pragma once

#include "h264/macroblocks/macroblocks.hpp"
#include "records/h264_filter_strength.h"

namespace v3doff::h264 {

// Numbers of the shaders for pictures that use one list, or two.
struct StrengthShaders {
    uint32_t one_list = 0, two_lists = 0;
};

// Reserves room for the records, of an MBAFF frame FilterMbaffMb, and appends the dispatch; returns
// the records' place in the arena, a multiple of 16 words. Nothing may be appended to the arena
// behind it.
uint32_t plan_strengths(const Macroblocks::Part &from, const StrengthShaders &shaders, Plan &plan);

} // namespace v3doff::h264
