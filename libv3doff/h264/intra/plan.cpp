// SPDX-License-Identifier: BSD-2-Clause
#include "h264/intra/plan.hpp"

#include <algorithm>
#include <cstring>

#include "common/group_dispatches.hpp"
#include "common/push.hpp"

namespace v3doff::h264 {
namespace {

// A dispatch may take 1.75 ms. Instructions of a step of a workgroup, rounded up, by its phases.
constexpr uint32_t kMostCost = vk::instructions_per_ms / 4 * 7;
constexpr uint32_t step_cost(uint32_t phases) {
    return phases > INTRA_PHASES_WHOLE ? 30000 : 12000;
}

constexpr uint8_t channel_kinds[] = {INTRA_BLOCKS_4, INTRA_BLOCKS_8, INTRA_WHOLE, INTRA_PCM};

uint32_t phases_of(uint8_t kind) {
    constexpr uint32_t phases[] = {INTRA_PHASES_4, INTRA_PHASES_8, INTRA_PHASES_WHOLE, 1};
    return phases[kind & 3];
}

// Bits, or groups of them, in the order of 6.4.3 become raster order: 2 and 3 of eight change
// places with 4 and 5.
constexpr uint32_t raster_bits(uint32_t bits) {
    return (bits & 0xc3c3u) | (bits & 0x0c0cu) << 2 | (bits & 0x3030u) >> 2;
}
constexpr uint64_t raster_nibbles(uint64_t nibbles) {
    return (nibbles & 0xff0000ffff0000ffu) | (nibbles & 0x0000ff000000ff00u) << 8 |
           (nibbles & 0x00ff000000ff0000u) >> 8;
}

// Bit i of the result is bit 15 - i.
constexpr uint32_t reversed(uint32_t bits) {
    bits = (bits >> 1 & 0x5555u) | (bits & 0x5555u) << 1;
    bits = (bits >> 2 & 0x3333u) | (bits & 0x3333u) << 2;
    bits = (bits >> 4 & 0x0f0fu) | (bits & 0x0f0fu) << 4;
    return bits >> 8 | (bits & 0xffu) << 8;
}

uint64_t modes_of(const IntraMacroblock &macroblock) {
    uint64_t modes = 0;
    const int step = macroblock.kind == IntraKind::blocks_8x8 ? 4 : 1;
    for (int i = 0; i < 16; i += step)
        modes |= uint64_t(macroblock.mode[i] & 15u) << i / step * 4;
    return macroblock.kind == IntraKind::blocks_4x4 ? raster_nibbles(modes) : modes;
}

uint32_t available_of(const IntraMacroblock &macroblock) {
    if (macroblock.kind == IntraKind::blocks_4x4)
        return raster_bits(reversed(macroblock.top_right_available));
    uint32_t bits = 0;
    for (unsigned i = 0; i < 4; i++)
        bits |= (macroblock.top_left_available << i * 4 >> 15 & 1u) << i |
                (macroblock.top_right_available << i * 4 >> 14 & 1u) << (4 + i);
    return bits;
}

} // namespace

// By dispatch and, in tiles, by tile and level inside of it.
void IntraPlanner::sort(const IntraOrder &order) {
    const auto raster = order.raster();
    nodes_.assign(raster.begin(), raster.end());
    std::stable_sort(nodes_.begin(), nodes_.end(), [&](uint32_t a, uint32_t b) {
        if (order.dispatch(a) != order.dispatch(b)) return order.dispatch(a) < order.dispatch(b);
        if (!order.by_tiles()) return false;
        if (order.tile(a) != order.tile(b)) return order.tile(a) < order.tile(b);
        return order.inside(a) < order.inside(b);
    });
}

uint8_t IntraPlanner::kind_of(uint32_t node, uint8_t plane) const {
    const IntraKind kind = macroblocks_[node].intra.kind;
    if (plane == 0 || channels_ == 3) return uint8_t(kind);
    return uint8_t(INTRA_CHROMA | (kind == IntraKind::pcm ? INTRA_PCM : INTRA_WHOLE));
}

// Those of one kind, eight at a time.
void IntraPlanner::collect_steps(std::span<const uint32_t> nodes, uint8_t plane, uint8_t kind) {
    uint32_t room = 0;
    for (uint32_t node : nodes) {
        if (kind_of(node, plane) != kind) continue;
        if (!room) {
            steps_.push_back({uint32_t(items_.size()), 0, phases_of(kind)});
            room = INTRA_SIDE_BY_SIDE;
        }
        items_.push_back({node, plane, kind});
        steps_.back().count++;
        room--;
    }
}

void IntraPlanner::end_group(size_t first_step) {
    uint32_t cost = 0;
    for (size_t i = first_step; i < steps_.size(); i++)
        cost += step_cost(steps_[i].phases);
    if (cost) groups_.push_back({uint32_t(first_step), uint32_t(steps_.size() - first_step), cost});
}

// A workgroup does one step. The longest ones come first.
void IntraPlanner::collect_level(std::span<const uint32_t> nodes) {
    const size_t first_step = steps_.size();
    for (uint8_t kind : channel_kinds)
        for (uint8_t plane = 0; plane < channels_; plane++) {
            if (plane == 0 || channels_ == 3)
                collect_steps(nodes, plane, kind);
            else if (kind >= INTRA_WHOLE)
                collect_steps(nodes, plane, uint8_t(kind | INTRA_CHROMA));
        }
    for (size_t i = first_step; i < steps_.size(); i++)
        groups_.push_back({uint32_t(i), 1, step_cost(steps_[i].phases)});
}

// A workgroup for each channel; none of them reads another.
void IntraPlanner::collect_tile(std::span<const uint32_t> nodes, const IntraOrder &order) {
    for (uint8_t plane = 0; plane < channels_; plane++) {
        const size_t first_step = steps_.size();
        for (size_t first = 0, end; first < nodes.size(); first = end) {
            for (end = first + 1; end < nodes.size() &&
                                  order.inside(nodes[end]) == order.inside(nodes[first]) &&
                                  end - first < INTRA_SIDE_BY_SIDE;)
                end++;
            steps_.push_back({uint32_t(items_.size()), uint32_t(end - first), 1});
            for (size_t i = first; i < end; i++) {
                const uint8_t kind = kind_of(nodes[i], plane);
                items_.push_back({nodes[i], plane, kind});
                steps_.back().phases = std::max(steps_.back().phases, phases_of(kind));
            }
        }
        end_group(first_step);
    }
}

IntraRecord IntraPlanner::record_of(const Item &item) const {
    const IntraInput &input = macroblocks_[item.macroblock];
    const IntraMacroblock &intra = input.intra;
    IntraRecord record{};
    record.place = pack(intra.x, INTRA_X) | pack(intra.y, INTRA_Y) | pack(item.kind, INTRA_KIND) |
                   pack(item.plane, INTRA_PLANE) | pack(intra.field, INTRA_FIELD);
    record.source = scratch_.first[item.plane] + input.number * scratch_.words;
    const uint wraps = input.residual.bypass ? INTRA_WRAPS : 0;
    if (item.kind & INTRA_CHROMA) {
        record.modes_low = intra.chroma_mode;
        record.modes_high = intra_chroma_means[intra.chroma_mode];
        record.coded =
            (input.residual.coded[1] & 0xffu) | (input.residual.coded[2] & 0xffu) << 8 | wraps;
        return record;
    }
    const uint64_t modes = modes_of(intra);
    record.modes_low = uint(modes);
    record.modes_high = uint(modes >> 32);
    if (intra.kind == IntraKind::whole_16x16)
        record.modes_high = intra_whole_reads[intra.mode[0]] & (reads_left | reads_above);
    record.available = available_of(intra);
    record.coded = raster_bits(input.residual.coded[item.plane]) | wraps;
    return record;
}

// Where the samples of PCM are in the arena.
uint32_t IntraPlanner::pcm_word(const Item &item) const {
    uint32_t word = coefficients_ + macroblocks_[item.macroblock].residual.source;
    for (unsigned p = 0; p < item.plane; p++)
        word += 256u * format_.sample_bytes() / 4 >> (format_.shift_x(p) + format_.shift_y(p));
    return word;
}

void IntraPlanner::plan(std::span<const IntraInput> macroblocks, const IntraOrder &order,
                        uint32_t shader, const SampleMap &map, uint32_t coefficients, Plan &plan) {
    format_ = map.format;
    coefficients_ = coefficients;
    scratch_ = MacroblockScratch(format_);
    macroblocks_ = macroblocks;
    channels_ = format_.planes() == 1 ? 1 : format_.chroma == V3DOFF_CHROMA_444 ? 3 : 2;
    items_.clear(), steps_.clear(), groups_.clear(), ends_.clear();
    sort(order);
    const std::span<const uint32_t> nodes = nodes_;
    for (size_t first = 0, end; first < nodes.size(); first = end) {
        const auto same = [&](auto key) {
            size_t i = first;
            while (i < nodes.size() && key(nodes[i]) == key(nodes[first]))
                i++;
            return i;
        };
        const auto dispatch_of = [&](uint32_t node) { return order.dispatch(node); };
        end = same(dispatch_of);
        if (!order.by_tiles()) collect_level(nodes.subspan(first, end - first));
        for (const size_t all = end; order.by_tiles() && first < all; first = end) {
            end = std::min(all, same([&](uint32_t node) { return order.tile(node); }));
            collect_tile(nodes.subspan(first, end - first), order);
        }
        ends_.push_back(groups_.size());
    }
    write(shader, map, plan);
}

void IntraPlanner::write(uint32_t shader, const SampleMap &map, Plan &plan) {
    ArenaWords &arena = plan.arena;
    constexpr size_t record_words = sizeof(IntraRecord) / 4;
    const size_t steps = (arena.size() + 1) / 2 * 2, records = steps + steps_.size() * 2;
    arena.resize(steps);
    arena.grow(records + items_.size() * record_words);
    for (size_t i = 0; i < steps_.size(); i++) {
        arena[steps + 2 * i] = uint(records + record_words * steps_[i].first);
        arena[steps + 2 * i + 1] =
            pack(steps_[i].count, INTRA_STEP_COUNT) | pack(steps_[i].phases, INTRA_STEP_PHASES);
    }
    for (size_t i = 0; i < items_.size(); i++) {
        IntraRecord record = record_of(items_[i]);
        if ((items_[i].kind & ~INTRA_CHROMA) == INTRA_PCM) record.source = pcm_word(items_[i]);
        std::memcpy(&arena[records + record_words * i], &record, sizeof record);
    }
    IntraPush push{};
    set_planes(push, map);
    push.chroma_rows = 16u >> format_.shift_y(1);
    const Dispatch like(
        shader, {}, push,
        {vk::memory_samples | vk::memory_arena | vk::memory_scratch, vk::memory_samples});
    size_t i = 0;
    for (const size_t end : ends_) {
        GroupDispatches dispatches(plan, like, kMostCost);
        for (; i < end; i++)
            dispatches.add(uint(steps + 2 * groups_[i].first), groups_[i].count, groups_[i].cost);
    }
}

} // namespace v3doff::h264
