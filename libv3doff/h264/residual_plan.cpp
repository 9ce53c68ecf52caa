// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "h264/residual_pack.hpp"
#include "h264/residual_words.hpp"
#include "vk/caps_costs.hpp"

namespace v3doff::h264 {
namespace {

// A dispatch may take 1.75 ms, which is more than any 1080p picture of 4:2:0 and 8 bits needs.
// Instructions of a workgroup of each kind, rounded up: 8 bits, more bits.
constexpr uint kDispatchCost = vk::instructions_per_ms / 4 * 7;
constexpr uint kGroupCost[2][RESIDUAL_KINDS] = {{1600, 2400, 1200, 2350, 3800, 5500},
                                                {1700, 2600, 1500, 2200, 2400, 3000}};

constexpr uint round_up(uint value, uint step) {
    return (value + step - 1) / step * step;
}

uint lanes_log2(uint kind, int bit_depth) {
    switch (kind) {
    case RESIDUAL_DC_8:
        return 1;
    case RESIDUAL_8_4:
    case RESIDUAL_8:
        return bit_depth == 8 ? 1 : 2;
    default:
        return 0;
    }
}

// What is put into the arena.
struct Section {
    std::span<const ResidualBatch *const> batches;
    int bit_depth;
    ArenaWords &arena;
    uint group = 0, record = 0; // where the next one goes

    uint blocks_per_group(uint kind) const { return RESIDUAL_LANES >> lanes_log2(kind, bit_depth); }

    // Makes room for all groups and records.
    void reserve() {
        std::size_t records = 0, groups = 0, words = 0;
        for (uint kind = 0; kind < RESIDUAL_KINDS; kind++) {
            std::size_t count = 0;
            for (const ResidualBatch *batch : batches) {
                count += batch->list(kind).records.size() - batch->list(kind).struck;
                words += batch->list(kind).words.size();
            }
            records += count;
            groups += (count + blocks_per_group(kind) - 1) / blocks_per_group(kind);
        }
        group = round_up(uint(arena.size()), 4);
        record = group + uint(groups) * 2;
        const uint end = round_up(record + uint(records) * 2, 4);
        arena.reserve(end + words);
        arena.resize(end);
    }

    // Appends the coefficients of a kind, and puts its records in their place.
    void append_blocks(uint kind) {
        for (const ResidualBatch *batch : batches) {
            const ResidualBatch::List &list = batch->list(kind);
            const uint base = list.words.size() ? uint(arena.size()) : 0;
            arena.append(list.words.span().data(), list.words.span().size());
            for (uint i = 0; i < list.records.size(); i++) {
                if (!batch->place({kind, i})) continue;
                const ResidualRecord &from = list.records.span()[i];
                arena[record++] = from.place;
                arena[record++] = from.source + base;
            }
        }
    }
};

} // namespace

// The last kinds are the largest blocks, and come first, so that the small ones fill up the end.
void residual_plan(std::span<const ResidualBatch *const> batches, const ResidualPush &planes,
                   int bit_depth, ArenaWords &arena, std::vector<ResidualDispatch> &dispatches) {
    Section section{batches, bit_depth, arena};
    section.reserve();
    uint cost = kDispatchCost;
    for (uint kind = RESIDUAL_KINDS; kind-- > 0;) {
        uint first = section.record;
        section.append_blocks(kind);
        const uint most = section.blocks_per_group(kind),
                   group_cost = kGroupCost[bit_depth > 8][kind];
        for (; first < section.record; first += most * 2) {
            if (cost + group_cost > kDispatchCost) {
                dispatches.push_back({0, planes});
                dispatches.back().push.groups = section.group;
                cost = 0;
            }
            const uint blocks = std::min(most, (section.record - first) / 2);
            arena[section.group++] = first;
            arena[section.group++] = kind | lanes_log2(kind, bit_depth) << 8 | blocks << 16;
            dispatches.back().groups++;
            cost += group_cost;
        }
    }
}

} // namespace v3doff::h264
