// SPDX-License-Identifier: BSD-2-Clause
// Boundary strengths and thresholds of all macroblocks (ITU-T H.264 8.7.2.1, 8.7.2.2), as the
// records that the deblocking passes read. The plain code defines the result of the GPU's pass, and
// replaces it where it cannot run.
#pragma once

#include "h264/macroblocks/macroblocks.hpp"
#include "records/h264_filter.h"
#include "records/h264_filter_mbaff.h"
#include "records/h264_filter_strength.h"

namespace v3doff::h264 {

// packed.count() records in raster order; no MBAFF.
void derive_strengths(const MacroblockTable &packed, FilterMb *records);

// The same for an MBAFF frame, pairs in raster order.
void derive_mbaff_strengths(const MacroblockTable &packed, FilterMbaffMb *records);

// Numbers of the shaders for pictures that use one list, or two.
struct StrengthShaders {
    uint32_t one_list = 0, two_lists = 0;
};

// The GPU's pass: one dispatch. Reserves room for the records, of an MBAFF frame FilterMbaffMb, and
// returns their place in the arena, a multiple of 16 words. Nothing may be appended to the arena
// behind it.
uint32_t plan_strengths(const Macroblocks::Part &from, const StrengthShaders &shaders, Plan &plan);

} // namespace v3doff::h264
