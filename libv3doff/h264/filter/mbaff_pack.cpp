// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/mbaff_pack.hpp"

#include <algorithm>

#include "util/divide.hpp"

namespace v3doff::h264 {
namespace {

// A unit in a plane; shaders/h264/filter_mbaff_units.glsl has the same.
struct UnitShape {
    bool luma_style;
    uint32_t rows, quads, halo;
};

UnitShape unit_shape(const PictureFormat &format, unsigned plane) {
    const bool luma_style = plane == 0 || format.chroma == V3DOFF_CHROMA_444;
    return {luma_style, 32u >> format.shift_y(plane), 4u >> format.shift_x(plane),
            luma_style ? 20u : 8u};
}

void lay_out(const SampleMap &map, FilterMbaffPush &push, Plan &plan) {
    const uint32_t units = push.mb_width * push.pair_height;
    uint32_t quads = 0;
    const auto take = [&](uint32_t count) {
        quads += count;
        return quads - count;
    };
    for (unsigned p = 0; p < map.format.planes(); p++) {
        const UnitShape unit = unit_shape(map.format, p);
        push.plane[p] = map.offset_words[p];
        push.line[p] = map.stride_words[p];
        push.strips[p] = take(units * (unit.halo + unit.rows));
        push.tiles[p] = take(units * unit.quads * (unit.halo + unit.rows));
        push.finals[p] = take(units * unit.rows);
        plan.rows[p].add(0, push.pair_height * unit.rows);
    }
    const size_t quad_words = map.format.bit_depth > 8 ? 2 : 1;
    plan.scratch_words = std::max(plan.scratch_words, quads * quad_words);
}

} // namespace

void plan_mbaff(const SampleMap &map, uint32_t mb_width, uint32_t pair_height,
                const FilterMbaffMb *records, const FilterShaders &shaders, Plan &plan) {
    const size_t at = plan.arena.size();
    const size_t words = size_t(mb_width) * pair_height * 2 * sizeof(FilterMbaffMb) / 4;
    plan.arena.append(reinterpret_cast<const uint32_t *>(records), words);
    plan_mbaff_at(map, mb_width, pair_height, uint32_t(at), shaders, plan);
}

void plan_mbaff_at(const SampleMap &map, uint32_t mb_width, uint32_t pair_height, uint32_t records,
                   const FilterShaders &shaders, Plan &plan) {
    FilterMbaffPush push{};
    push.mb_width = mb_width;
    push.pair_height = pair_height;
    push.bit_depth = map.format.bit_depth;
    push.records = records;
    lay_out(map, push, plan);

    const bool all_luma = map.format.chroma == V3DOFF_CHROMA_444;
    const bool chroma = map.format.planes() > 1 && !all_luma;
    const UnitShape small = unit_shape(map.format, chroma ? 1 : 0);
    // Rows of work of a unit: pairs of lines, the strip, pairs of lines, quads.
    const uint32_t luma_rows[4] = {16, 1, 16, 4};
    const uint32_t chroma_rows[4] = {small.rows / 2, 1, small.rows / 2, 2};
    for (unsigned pass = 0; pass < 4; pass++) {
        push.luma_rows = luma_rows[pass] * pair_height;
        push.chroma_rows = chroma ? chroma_rows[pass] * pair_height : 0;
        const uint32_t rows = push.luma_rows * (all_luma ? 3 : 1) + push.chroma_rows * 2;
        add_filter_pass(pass, shaders, filter_groups(mb_width, rows), push, plan);
    }
}

} // namespace v3doff::h264
