// SPDX-License-Identifier: BSD-2-Clause
// Packs H.264 deblocking for the GPU: turns records into four dispatches.
#pragma once

#include <array>
#include <cstdint>

#include "h264/lines.hpp"
#include "picture/plan.hpp"
#include "records/h264_filter.h"
#include "util/divide.hpp"

namespace v3doff::h264 {

// What a kernel variant is compiled for; see shaders/h264/filter_*.comp.
struct FilterVariant {
    bool high_depth = false; // HIGH_DEPTH
    enum {
        luma,
        chroma_420,
        chroma_422,
        chroma_444
    } planes = luma; // CHROMA_SUBSAMPLED,
                     // and CHROMA_422 beside it; CHROMA_444
};
FilterVariant filter_variant(const PictureFormat &format);

// Macroblocks that a workgroup of a pass over an area does; shaders/h264/filter_io.glsl.
inline constexpr uint32_t filter_group_width = 8, filter_group_height = 32;

// Numbers of the four passes' shaders for the variant, in their order.
using FilterShaders = std::array<uint32_t, 4>;

// One of the four passes. The first one reads samples and writes none. They pass data to each other
// in scratch memory.
template <typename Push>
void add_filter_pass(unsigned pass, const FilterShaders &shaders, std::array<uint32_t, 3> groups,
                     const Push &push, Plan &plan) {
    constexpr int samples = vk::memory_samples, scratch = vk::memory_scratch;
    plan.dispatch(
            shaders[pass], groups, push,
            {samples | vk::memory_arena | (pass ? scratch : 0), scratch | (pass ? samples : 0)})
        .by_area = true;
}
inline std::array<uint32_t, 3> filter_groups(uint32_t mb_width, uint32_t rows) {
    return {divide_up(mb_width, filter_group_width), divide_up(rows, filter_group_height), 1};
}

// Whether the passes can be used at all: 8 to 14 bits, planes and rows at multiples of 16 bytes.
bool can_filter(const SampleMap &map);

// Appends records and dispatches, which filter in place. The planes must hold whole macroblocks;
// `records` are in raster order.
void plan_filter(const SampleMap &map, const MacroblockArea &area, const FilterMb *records,
                 const FilterShaders &shaders, Plan &plan);

// The same with records that lie, or will lie, in the arena buffer at a multiple of 4 words.
void plan_filter_at(const SampleMap &map, const MacroblockArea &area, uint32_t records,
                    const FilterShaders &shaders, Plan &plan);

} // namespace v3doff::h264
