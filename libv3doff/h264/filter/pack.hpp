// SPDX-License-Identifier: BSD-2-Clause
// Packs H.264 deblocking for the GPU: turns records into four dispatches.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "h264/lines.hpp"
#include "picture/plan.hpp"
#include "records/h264_filter.h"
#include "records/h264_filter_mbaff.h"

namespace v3doff::h264 {

// Numbers of the four passes' shaders for a format, in their order.
using FilterShaders = std::array<uint32_t, 4>;

// Whether the passes can be used at all: 8 to 14 bits, planes and rows at multiples of 16 bytes.
bool can_filter(const SampleMap &map);

// Appends records in raster order to the arena, those of an MBAFF frame pair by pair. Returns their
// place there, in words.
uint32_t append_records(std::span<const FilterMb> records, Plan &plan);
uint32_t append_records(std::span<const FilterMbaffMb> records, Plan &plan);

// Appends dispatches, which filter in place. The planes must hold whole macroblocks. `records`:
// their word in the arena, where they are or will be; a multiple of 4.
void plan_filter(const SampleMap &map, const MacroblockArea &area, uint32_t records,
                 const FilterShaders &shaders, Plan &plan);

// The same for an MBAFF frame, of which the planes must hold whole pairs.
void plan_mbaff(const SampleMap &map, const MacroblockArea &area, uint32_t records,
                const FilterShaders &shaders, Plan &plan);

} // namespace v3doff::h264
