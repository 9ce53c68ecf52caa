// SPDX-License-Identifier: BSD-2-Clause
// Batches of transforms to dispatches.
#include <algorithm>

#include "vk/caps_costs.hpp"
#include "vp9/residual_pack.hpp"

namespace v3doff::vp9 {

namespace {

using Batches = std::span<const ResidualBatch *const>;

// A dispatch takes at most about a millisecond. Instructions of a workgroup of each kind, rounded
// up.
constexpr uint kDispatchCost = vk::instructions_per_ms;
constexpr uint kGroupCost[RESIDUAL_KINDS] = {
    2000,  3000, 5000, 8000,  2000, 3000, 5000, 9000, 2500, 3000, 4500,  6500,  12000,
    17000, 8000, 9000, 10000, 4000, 4000, 4000, 8000, 8000, 9000, 20000, 20000, 22000};

constexpr uint round_up(uint value, uint step) {
    return (value + step - 1) / step * step;
}

// What is put into the arena for one shader.
struct Section {
    Batches batches;
    int bit_depth;
    ArenaWords &arena;
    uint group = 0, record = 0; // where the next one goes

    uint count(uint kind) const {
        std::size_t sum = 0;
        for (const ResidualBatch *batch : batches)
            sum += batch->list(kind).records.size() - batch->list(kind).struck;
        return uint(sum);
    }
    uint blocks_per_group(uint kind) const {
        return RESIDUAL_LANES >> residual_lanes_log2(kind, bit_depth);
    }

    void reserve(uint first, uint end);
    void append_blocks(uint kind);
};

// Makes room for the groups and records of kinds in [first, end).
void Section::reserve(uint first, uint end) {
    uint records = 0, groups = 0;
    for (uint kind = first; kind < end; kind++) {
        records += count(kind);
        groups += round_up(count(kind), blocks_per_group(kind)) / blocks_per_group(kind);
    }
    group = round_up(uint(arena.size()), 4);
    record = group + groups * 2;
    arena.resize(round_up(record + records * 2, 4));
}

// Appends the coefficients of a kind, and puts its records in their place.
void Section::append_blocks(uint kind) {
    for (const ResidualBatch *batch : batches) {
        const ResidualBatch::List &list = batch->list(kind);
        const uint base = kind < RESIDUAL_RAW ? 0 : uint(arena.size());
        arena.append(list.words.span().data(), list.words.span().size());
        for (const ResidualRecord &r : list.records.span()) {
            if (r.place == ResidualBatch::struck_place) continue;
            arena[record++] = r.place;
            arena[record++] = r.source + base;
        }
    }
}

// The groups of one shader, cut into dispatches. The last kinds are the largest blocks, and come
// first, so that the small ones fill up the end.
void plan_shader(uint shader, Section section, ResidualPush push,
                 std::vector<ResidualDispatch> &dispatches) {
    const uint bounds[3] = {0, RESIDUAL_ADST_4, RESIDUAL_KINDS};
    section.reserve(bounds[shader], bounds[shader + 1]);
    uint cost = kDispatchCost;
    for (uint kind = bounds[shader + 1]; kind-- > bounds[shader];) {
        uint first = section.record;
        section.append_blocks(kind);
        const uint most = section.blocks_per_group(kind);
        const uint lanes = residual_lanes_log2(kind, section.bit_depth);
        for (; first < section.record; first += most * 2) {
            if (cost + kGroupCost[kind] > kDispatchCost) {
                push.groups = section.group;
                dispatches.push_back({shader, 0, push});
                cost = 0;
            }
            const uint blocks = std::min(most, (section.record - first) / 2);
            section.arena[section.group++] = first;
            section.arena[section.group++] = kind | lanes << 8 | blocks << 16;
            dispatches.back().groups++;
            cost += kGroupCost[kind];
        }
    }
}

} // namespace

void residual_plan(std::span<const ResidualBatch *const> batches, const ResidualPush &planes,
                   int bit_depth, ArenaWords &arena, std::vector<ResidualDispatch> &dispatches) {
    for (uint shader = 0; shader < 2; shader++)
        plan_shader(shader, {batches, bit_depth, arena}, planes, dispatches);
}

} // namespace v3doff::vp9
