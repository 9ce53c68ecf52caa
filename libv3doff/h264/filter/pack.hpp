// SPDX-License-Identifier: BSD-2-Clause
// Packs H.264 deblocking for the GPU: turns records into four dispatches.
#pragma once

#include <array>
#include <cstdint>

#include "h264/lines.hpp"
#include "picture/plan.hpp"
#include "records/h264_filter.h"
#include "records/h264_filter_mbaff.h"

namespace v3doff::h264 {

// Numbers of the four passes' shaders for a format, in their order.
using FilterShaders = std::array<uint32_t, 4>;

// Whether the passes can be used at all: 8 to 14 bits, planes and rows at multiples of 16 bytes.
bool can_filter(const SampleMap &map);

// Appends records and dispatches, which filter in place. The planes must hold whole macroblocks;
// `records` are in raster order.
void plan_filter(const SampleMap &map, const MacroblockArea &area, const FilterMb *records,
                 const FilterShaders &shaders, Plan &plan);

// The same with records that lie, or will lie, in the arena buffer at a multiple of 4 words.
void plan_filter_at(const SampleMap &map, const MacroblockArea &area, uint32_t records,
                    const FilterShaders &shaders, Plan &plan);

// The same for an MBAFF frame: `records` are pairs in raster order, and the planes must hold them.
void plan_mbaff(const SampleMap &map, uint32_t mb_width, uint32_t pair_height,
                const FilterMbaffMb *records, const FilterShaders &shaders, Plan &plan);

// The same with records that will lie in the arena buffer at that word.
void plan_mbaff_at(const SampleMap &map, uint32_t mb_width, uint32_t pair_height, uint32_t records,
                   const FilterShaders &shaders, Plan &plan);

} // namespace v3doff::h264
