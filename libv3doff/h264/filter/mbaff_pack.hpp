// SPDX-License-Identifier: BSD-2-Clause
// Packs the deblocking of an MBAFF frame for the GPU: turns records into four dispatches.
#pragma once

#include "h264/filter/pack.hpp"
#include "records/h264_filter_mbaff.h"

namespace v3doff::h264 {

// Appends records and dispatches. `records` are pairs in raster order; the planes must hold them.
void plan_mbaff(const SampleMap &map, uint32_t mb_width, uint32_t pair_height,
                const FilterMbaffMb *records, const FilterShaders &shaders, Plan &plan);

// The same with records that will lie in the arena buffer at that word.
void plan_mbaff_at(const SampleMap &map, uint32_t mb_width, uint32_t pair_height, uint32_t records,
                   const FilterShaders &shaders, Plan &plan);

} // namespace v3doff::h264
