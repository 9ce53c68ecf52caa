// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/pack.hpp"

#include <algorithm>

#include "util/divide.hpp"
#include "vk/caps_costs.hpp"

namespace v3doff::h264 {
namespace {

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

void lay_out_scratch(const FilterVariant &variant, const MacroblockArea &area, FilterPush &push,
                     Plan &plan) {
    const uint32_t cell = variant.high_depth ? 2 : 1; // 16-byte units
    const uint32_t macroblocks = area.mb_width * area.mb_height;
    const uint32_t planes = variant.planes == FilterVariant::chroma_444 ? 3 : 1;
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
    if (variant.planes == FilterVariant::chroma_420 ||
        variant.planes == FilterVariant::chroma_422) {
        const uint32_t groups = variant.planes == FilterVariant::chroma_422 ? 4 : 2;
        const uint32_t rows = 2 * groups * area.mb_height; // of both planes
        push.chroma_tile = scratch.quads(rows * area.mb_width * 2 * cell) / cell;
        push.chroma_strip = scratch.quads(rows * area.mb_width);
        push.chroma_final = scratch.quads(rows * (area.mb_width + 1));
        push.chroma_bottom = scratch.quads(divide_up(2 * macroblocks, 4)) * 4;
    }
    plan.scratch_words = std::max(plan.scratch_words, scratch.words());
}

uint32_t append_records(const FilterMb *records, size_t count, Plan &plan) {
    plan.arena.align(4);
    const size_t at = plan.arena.size();
    plan.arena.grow(at + count * sizeof(FilterMb) / 4);
    for (size_t i = 0; i < count; i++) {
        const auto *const words = reinterpret_cast<const uint32_t *>(&records[i]);
        for (size_t quad = 0; quad < sizeof(FilterMb) / 16; quad++)
            std::copy_n(words + quad * 4, 4, &plan.arena[at + (quad * count + i) * 4]);
    }
    return uint32_t(at);
}

void add_rows(const SampleMap &map, const MacroblockArea &area, Plan &plan) {
    for (unsigned p = 0; p < map.format.planes(); p++) {
        // Of the row above a band the last 4 lines, or 2 of chroma, are read and written.
        const uint32_t first = area.top * 16 + (area.above ? 12 : 0);
        const uint32_t end = (area.top + area.mb_height) * 16;
        plan.rows[p].add(first >> map.format.shift_y(p) << unsigned(area.field),
                         end >> map.format.shift_y(p) << unsigned(area.field));
    }
}

} // namespace

FilterVariant filter_variant(const PictureFormat &format) {
    FilterVariant variant;
    variant.high_depth = format.bit_depth > 8;
    variant.planes = format.chroma == V3DOFF_CHROMA_400   ? FilterVariant::luma
                     : format.chroma == V3DOFF_CHROMA_420 ? FilterVariant::chroma_420
                     : format.chroma == V3DOFF_CHROMA_422 ? FilterVariant::chroma_422
                                                          : FilterVariant::chroma_444;
    return variant;
}

bool can_filter(const SampleMap &map) {
    if (map.format.bit_depth < 8 || map.format.bit_depth > 14) return false;
    if (map.format.chroma == V3DOFF_CHROMA_440) return false;
    for (unsigned p = 0; p < map.format.planes(); p++) {
        if (map.offset_words[p] % 4 || map.stride_words[p] % 4) return false;
    }
    return true;
}

void plan_filter(const SampleMap &map, const MacroblockArea &area, const FilterMb *records,
                 const FilterShaders &shaders, Plan &plan) {
    const size_t count = size_t(area.mb_width) * area.mb_height;
    plan_filter_at(map, area, append_records(records, count, plan), shaders, plan);
}

void plan_filter_at(const SampleMap &map, const MacroblockArea &area, uint32_t records,
                    const FilterShaders &shaders, Plan &plan) {
    const FilterVariant variant = filter_variant(map.format);
    const bool chroma =
        variant.planes == FilterVariant::chroma_420 || variant.planes == FilterVariant::chroma_422;
    const uint32_t planes = variant.planes == FilterVariant::chroma_444 ? 3 : 1;
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
    lay_out_scratch(variant, area, push, plan);
    add_rows(map, area, plan);

    const uint32_t groups = variant.planes == FilterVariant::chroma_422 ? 4 : 2;
    const uint32_t luma_rows[3] = {area.mb_height * 2, area.mb_height, area.mb_height * 4};
    const uint32_t vertical_groups = variant.high_depth || groups == 4 ? 1 : 2; // AT_ONCE
    const uint32_t chroma_rows[3] = {area.mb_height, area.mb_height * groups / vertical_groups,
                                     area.mb_height * groups / 2};
    for (unsigned pass = 0; pass < 3; pass++) {
        push.luma_rows = luma_rows[pass];
        push.chroma_rows = chroma ? chroma_rows[pass] : 0;
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

} // namespace v3doff::h264
