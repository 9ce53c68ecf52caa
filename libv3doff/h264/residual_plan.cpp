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

// What is put into the arena: groups, then the records of all kinds, then their coefficients. The
// last kinds are the largest blocks, and come first, so that the small ones fill up the end.
struct Section {
    const ResidualWork &work;
    const PictureFormat &format;
    ArenaWords &arena;
    int bit_depth = int(format.bit_depth);
    ResidualExtents count{}, next{}; // blocks and words; where the next ones go
    uint group = 0;                  // where the first one goes

    uint blocks_per_group(uint kind) const { return RESIDUAL_LANES >> lanes_log2(kind, bit_depth); }

    void count_blocks() {
        for (const MacroblockBatch *batch : work.macroblocks)
            batch->count(format, count);
        for (uint kind = 0; kind < RESIDUAL_KINDS; kind++)
            for (const ResidualBatch *batch : work.batches) {
                const ResidualBatch::List &list = batch->list(kind);
                count[kind].records += uint(list.records.size()) - list.struck;
                count[kind].words += uint(list.words.size());
            }
    }

    void reserve() {
        uint groups = 0, records = 0;
        for (uint kind = 0; kind < RESIDUAL_KINDS; kind++) {
            const uint most = blocks_per_group(kind);
            groups += round_up(count[kind].records, most) / most;
            records += count[kind].records;
        }
        group = round_up(uint(arena.size()), 4);
        uint record = group + groups * 2;
        uint word = round_up(record + records * 2, 4);
        for (uint kind = RESIDUAL_KINDS; kind-- > 0;) {
            next[kind] = {record, word};
            record += count[kind].records * 2;
            word += count[kind].words;
        }
        const std::size_t before = arena.size();
        arena.grow(word);
        std::fill(arena.begin() + before, arena.begin() + group, 0u);
        std::fill(arena.begin() + record, arena.begin() + round_up(record, 4), 0u);
    }

    void append(const ResidualBatch::List &list, ResidualExtent &to) {
        const auto words = list.words.span();
        std::copy(words.begin(), words.end(), arena.begin() + to.words);
        const uint base = words.empty() ? 0 : to.words;
        to.words += uint(words.size());
        for (const ResidualRecord &from : list.records.span()) {
            if (from.place == residual_struck) continue;
            arena[to.records++] = from.place;
            arena[to.records++] = from.source + base;
        }
    }

    void append_blocks() {
        for (const ResidualBatch *batch : work.batches)
            for (uint kind = 0; kind < RESIDUAL_KINDS; kind++)
                append(batch->list(kind), next[kind]);
        for (const MacroblockBatch *batch : work.macroblocks)
            batch->put(format, work.layout, arena.data(), next);
    }
};

} // namespace

void residual_plan(const ResidualWork &work, const PictureFormat &format,
                   const ResidualPush &planes, ArenaWords &arena,
                   std::vector<ResidualDispatch> &dispatches) {
    Section section{work, format, arena};
    section.count_blocks();
    section.reserve();
    section.append_blocks();
    uint cost = kDispatchCost, group = section.group;
    for (uint kind = RESIDUAL_KINDS; kind-- > 0;) {
        const uint most = section.blocks_per_group(kind), end = section.next[kind].records,
                   group_cost = kGroupCost[format.bit_depth > 8][kind];
        for (uint first = end - section.count[kind].records * 2; first < end; first += most * 2) {
            if (cost + group_cost > kDispatchCost) {
                dispatches.push_back({0, planes});
                dispatches.back().push.groups = group;
                cost = 0;
            }
            const uint blocks = std::min(most, (end - first) / 2);
            arena[group++] = first;
            arena[group++] = kind | lanes_log2(kind, section.bit_depth) << 8 | blocks << 16;
            dispatches.back().groups++;
            cost += group_cost;
        }
    }
}

} // namespace v3doff::h264
