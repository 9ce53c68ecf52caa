// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/pack.hpp"

#include <algorithm>

#include "util/divide.hpp"
#include "vk/caps_costs.hpp"

namespace v3doff::h264 {
namespace {

// Macroblocks that a workgroup of a pass over an area does; shaders/h264/filter_io.glsl.
constexpr uint32_t filter_group_width = 8, filter_group_height = 32;

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

std::array<uint32_t, 3> filter_groups(uint32_t mb_width, uint32_t rows) {
    return {divide_up(mb_width, filter_group_width), divide_up(rows, filter_group_height), 1};
}

// The rows of an invocation of the last pass. To begin a slab costs one third of a macroblock row,
// and so does what it reads below the picture. But there must be enough slabs to fill the GPU.
uint32_t slab_rows(uint32_t mb_width, uint32_t mb_height, uint32_t planes, bool is_discrete) {
    const uint32_t slab_vectors = divide_up(divide_up(mb_width, 4) * 12, 16);
    const uint32_t vectors = slab_vectors * planes;
    // The last pass divides by multiplying with slab_scale: exact below 2^20 / slab_vectors.
    const uint32_t most_vectors = std::min((1u << 20) / slab_vectors - 16, 16000u);
    const uint32_t vectors_wanted = is_discrete ? most_vectors : vk::balanced_vectors;
    const uint32_t most_slabs = std::min(std::max(most_vectors / vectors, 1u), mb_height);
    const uint32_t slabs_wanted = std::min(divide_up(vectors_wanted, vectors), most_slabs);
    uint32_t best = divide_up(mb_height, most_slabs), best_cost = UINT32_MAX;
    for (uint32_t rows = 1; rows <= mb_height; rows++) {
        const uint32_t slabs = divide_up(mb_height, rows);
        const uint32_t cost = slabs * (3 * rows + 1);
        if (slabs > most_slabs) continue;
        if (slabs >= slabs_wanted && cost < best_cost) best = rows, best_cost = cost;
    }
    return best;
}

uint32_t luma_planes(const PictureFormat &format) { // and those filtered like luma
    return format.chroma == V3DOFF_CHROMA_444 ? 3 : 1;
}
// Edges between rows in a macroblock of subsampled chroma; 0: there is none.
uint32_t chroma_edges(const PictureFormat &format) {
    return format.chroma == V3DOFF_CHROMA_420 ? 2 : format.chroma == V3DOFF_CHROMA_422 ? 4 : 0;
}

// Hands out scratch memory, in units of 16 bytes.
class Scratch {
  public:
    uint32_t quads(uint32_t count) {
        const uint32_t at = used_;
        used_ += count;
        return at;
    }
    size_t words() const { return size_t(used_) * 4; }

  private:
    uint32_t used_ = 0;
};

void place_planes(const SampleMap &map, const MacroblockArea &area, FilterPush &push) {
    uint32_t *const at[3] = {&push.plane_0, &push.plane_1, &push.plane_2};
    uint32_t *const row[3] = {&push.row_0, &push.row_1, &push.row_2};
    for (unsigned p = 0; p < map.format.planes(); p++) {
        const uint32_t line = map.stride_words[p] / 4;
        *row[p] = line << unsigned(area.field);
        *at[p] = map.offset_words[p] / 4 + (area.field ? area.parity * line : 0) +
                 (area.top * 16 >> map.format.shift_y(p)) * *row[p];
    }
    push.line_0 = push.row_0 * 4;
}

void lay_out_scratch(const PictureFormat &format, const MacroblockArea &area, FilterPush &push,
                     Plan &plan) {
    const uint32_t cell = format.sample_bytes(); // 16-byte units
    const uint32_t macroblocks = area.mb_width * area.mb_height;
    const uint32_t planes = luma_planes(format), edges = chroma_edges(format);
    Scratch scratch;
    push.cells = macroblocks * 4;
    // A pass may read a cell before strip_done, and the last one three rows before the tiles and
    // those of its last slab. They are not used.
    push.inner = scratch.quads(push.cells * planes * cell) / cell;
    push.strip = scratch.quads(push.cells * planes * cell) / cell;
    push.strip_done = scratch.quads(push.cells * planes * cell) / cell;
    push.tile_pitch = divide_up(area.mb_width, 4) * 12;
    const uint32_t below = divide_up(area.mb_height, push.slab) * push.slab - area.mb_height;
    const uint32_t tile_rows = area.mb_height * 4 * planes + below * 4;
    push.tile =
        scratch.quads(push.tile_pitch * (3 + tile_rows) * cell) / cell + push.tile_pitch * 3;
    if (edges) {
        const uint32_t rows = 2 * edges * area.mb_height; // in both planes
        push.chroma_tile = scratch.quads(rows * area.mb_width * 2 * cell) / cell;
        push.chroma_strip = scratch.quads(rows * area.mb_width);
        push.chroma_final = scratch.quads(rows * (area.mb_width + 1));
        push.chroma_bottom = scratch.quads(divide_up(2 * macroblocks, 4)) * 4;
    }
    plan.scratch_words = std::max(plan.scratch_words, scratch.words());
}

void add_rows(const SampleMap &map, const MacroblockArea &area, Plan &plan) {
    for (unsigned p = 0; p < map.format.planes(); p++) {
        // The passes read and write the last 4 lines, or 2 of chroma, of the row above a band.
        const uint32_t first = area.top * 16 + (area.above ? 12 : 0);
        const uint32_t end = (area.top + area.mb_height) * 16;
        plan.rows[p].add(first >> map.format.shift_y(p) << unsigned(area.field),
                         end >> map.format.shift_y(p) << unsigned(area.field));
    }
}

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

bool can_filter(const SampleMap &map) {
    if (map.format.bit_depth < 8 || map.format.bit_depth > 14) return false;
    if (map.format.chroma == V3DOFF_CHROMA_440) return false;
    for (unsigned p = 0; p < map.format.planes(); p++) {
        if (map.offset_words[p] % 4 || map.stride_words[p] % 4) return false;
    }
    return true;
}

uint32_t append_records(std::span<const FilterMb> records, Plan &plan) {
    plan.arena.align(4);
    const size_t at = plan.arena.size(), count = records.size();
    plan.arena.grow(at + count * sizeof(FilterMb) / 4);
    for (size_t i = 0; i < count; i++) {
        const auto *const words = reinterpret_cast<const uint32_t *>(&records[i]);
        for (size_t quad = 0; quad < sizeof(FilterMb) / 16; quad++)
            std::copy_n(words + quad * 4, 4, &plan.arena[at + (quad * count + i) * 4]);
    }
    return uint32_t(at);
}

uint32_t append_records(std::span<const FilterMbaffMb> records, Plan &plan) {
    const size_t at = plan.arena.size();
    plan.arena.append(reinterpret_cast<const uint32_t *>(records.data()), records.size_bytes() / 4);
    return uint32_t(at);
}

void plan_filter(const SampleMap &map, const MacroblockArea &area, uint32_t records,
                 const FilterShaders &shaders, Plan &plan) {
    const uint32_t planes = luma_planes(map.format), edges = chroma_edges(map.format);
    FilterPush push{};
    place_planes(map, area, push);
    push.mb_width = area.mb_width;
    push.mb_height = area.mb_height;
    push.bit_depth = map.format.bit_depth;
    push.records = records / 4;
    push.macroblocks = area.mb_width * area.mb_height;
    push.number_pitch = area.mb_width * 16;
    push.all_numbers = push.macroblocks * 16;
    push.last_number = push.all_numbers - 1;
    push.slab = slab_rows(area.mb_width, area.mb_height, planes, plan.is_discrete);
    lay_out_scratch(map.format, area, push, plan);
    add_rows(map, area, plan);

    const uint32_t luma_rows[3] = {area.mb_height * 2, area.mb_height, area.mb_height * 4};
    const uint32_t at_once = map.format.bit_depth > 8 || edges == 4 ? 1 : 2; // AT_ONCE
    const uint32_t chroma_rows[3] = {area.mb_height, area.mb_height * edges / at_once,
                                     area.mb_height * edges / 2};
    for (unsigned pass = 0; pass < 3; pass++) {
        push.luma_rows = luma_rows[pass];
        push.chroma_rows = edges ? chroma_rows[pass] : 0;
        const uint32_t rows = push.luma_rows * planes + push.chroma_rows * 2;
        add_filter_pass(pass, shaders, filter_groups(area.mb_width, rows), push, plan);
    }
    push.luma_rows = divide_up(area.mb_height, push.slab);
    push.chroma_rows = 0;
    push.slab_blocks = divide_up(push.tile_pitch, 16);
    push.slab_scale = divide_up(1 << 20, push.slab_blocks);
    add_filter_pass(3, shaders, {divide_up(push.slab_blocks * push.luma_rows * planes, 16), 1, 1},
                    push, plan);
}

void plan_mbaff(const SampleMap &map, const MacroblockArea &area, uint32_t records,
                const FilterShaders &shaders, Plan &plan) {
    const uint32_t pair_height = area.mb_height / 2;
    FilterMbaffPush push{};
    push.mb_width = area.mb_width;
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
    const uint32_t area_costs[4] = {1, 2, 3, 5};
    for (unsigned pass = 0; pass < 4; pass++) {
        push.luma_rows = luma_rows[pass] * pair_height;
        push.chroma_rows = chroma ? chroma_rows[pass] * pair_height : 0;
        const uint32_t rows = push.luma_rows * (all_luma ? 3 : 1) + push.chroma_rows * 2;
        add_filter_pass(pass, shaders, filter_groups(area.mb_width, rows), push, plan);
        plan.dispatches.back().area_cost = area_costs[pass];
    }
}

} // namespace v3doff::h264
