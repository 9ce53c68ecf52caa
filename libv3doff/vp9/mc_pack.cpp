// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/mc_pack.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "vk/caps_costs.hpp"

namespace v3doff::vp9 {
namespace {

constexpr uint side_count = 6, lanes_count = 8;
constexpr uint shapes = MC_KINDS * side_count * lanes_count;
// A dispatch has one of each: average, reference, scaled. All that only write come first.
constexpr uint keys = 2 * max_references * 2;

static_assert(mc_furthest < int32_t(MC_BIAS));

// Chroma planes are predicted alike: the second one of a pair has the first one's record.
bool is_second_of_pair(const McInput &first, const McInput &second) {
    static_assert(offsetof(McInput, average) == offsetof(McInput, width) + 7);
    uint64_t a, b;
    std::memcpy(&a, &first.width, sizeof a);
    std::memcpy(&b, &second.width, sizeof b);
    return first.plane == 1 && second.plane == 2 && a == b && first.x == second.x &&
           first.y == second.y && first.ref_x == second.ref_x && first.ref_y == second.ref_y &&
           first.reference == second.reference;
}

uint log2_of(uint32_t count) {
    return uint(std::bit_width(count - 1));
}

uint key_of(const McInput &block) {
    return (uint(block.average) * max_references + block.reference) * 2 + block.scaled();
}

// A dispatch takes at most about a millisecond. Instructions of 16 invocations for each row made.
constexpr uint64_t dispatch_cost = vk::instructions_per_ms;
constexpr uint row_cost[MC_KINDS] = {22, 122, 115, 250, 17, 74, 116, 145, 270, 680};
constexpr uint start_cost = 120;

// The filter down reaches seven rows further than it writes.
bool filters_down(uint kind) {
    return kind == MC_DOWN_2 || kind == MC_BOTH_2 || kind >= MC_DOWN_1;
}

uint cost_of(const McInput &block, uint kind, uint rows) {
    rows = std::min<uint>(rows, block.height);
    const uint more = filters_down(kind) ? 7 : 0;
    if (kind == MC_SCALED_1)
        return start_cost + row_cost[kind] * (rows * block.step_y / 16 + more) + 150 * rows;
    return start_cost + row_cost[kind] * (rows + more);
}

// Rows of an invocation: fewer where those seven do not count.
uint most_rows(uint kind) {
    return filters_down(kind) ? 16 : 8;
}

uint words_of(uint kind) {
    return kind < MC_COPY_1 ? 2 : 1;
}

uint samples_in_word(uint32_t bit_depth) {
    return bit_depth == 8 ? 4 : 2;
}

// As in shaders/vp9/mc_march.glsl.
uint words_read(uint count, bool across, uint32_t bit_depth) {
    if (!across) return count + 1;
    return count + (bit_depth == 8 ? 3 : 4);
}

// The kernels without clamps read whole words: those must begin in the reference, and every sample
// that counts must be one.
[[gnu::always_inline]] inline bool reads_inside(const McInput &block, const McSource &source,
                                                uint words, uint32_t bit_depth) {
    const int in_word_log2 = bit_depth == 8 ? 2 : 1;
    const int width = int(source.width[block.plane]), height = int(source.height[block.plane]);
    const int left = block.ref_x - (block.mx ? 3 : 0), top = block.ref_y - (block.my ? 3 : 0);
    const int right = block.ref_x + block.width + (block.mx ? 4 : 0);
    const int bottom = block.ref_y + block.height + (block.my ? 4 : 0);
    if (left < 0 || top < 0 || right > width || bottom > height) return false;
    const int last_lane = left + block.width - (int(words) << in_word_log2);
    const int read = int(words_read(words, block.mx != 0, bit_depth));
    return (last_lane >> in_word_log2) + read - 1 <= (width - 1) >> in_word_log2;
}

uint32_t packed_taps(const int16_t *taps) {
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++)
        word |= uint32_t(taps[i] + int(MC_TAP_BIAS)) << 8 * i;
    return word;
}

uint32_t biased(int32_t at) {
    return uint32_t(at + int32_t(MC_BIAS));
}

bool may_write_pairs(const SampleMap &map, unsigned plane) {
    return (map.offset_words[plane] | map.stride_words[plane]) % 2 == 0;
}

// The taps of all filters and fractions, as records have them.
struct PackedTaps {
    uint32_t words[mc_filters][mc_fractions][2];
    PackedTaps() {
        for (unsigned filter = 0; filter < mc_filters; filter++)
            for (unsigned fraction = 0; fraction < mc_fractions; fraction++) {
                const auto &taps = mc_filter(filter, fraction);
                words[filter][fraction][0] = packed_taps(taps);
                words[filter][fraction][1] = packed_taps(taps + 4);
            }
    }
};
const PackedTaps packed;

[[gnu::always_inline]] inline McRecord record_of(const McInput &block, uint kind, uint rows) {
    McRecord record{};
    record.place = block.x / 4 | block.y / 4 << 14 | block.plane << 28;
    record.source = biased(block.ref_x) | biased(block.ref_y) << 16;
    record.size = block.height | rows << 8;
    if (kind == MC_SCALED_1) {
        record.taps_across_0 = block.mx | uint32_t(block.step_x) << 16;
        record.taps_across_1 = block.my | uint32_t(block.step_y) << 16;
        record.taps_down_0 = block.filter * mc_fractions * (mc_taps / 4); // in the table of taps
        return record;
    }
    const auto &taps = packed.words[block.filter];
    record.taps_across_0 = taps[block.mx][0];
    record.taps_across_1 = taps[block.mx][1];
    record.taps_down_0 = taps[block.my][0];
    record.taps_down_1 = taps[block.my][1];
    return record;
}

} // namespace

uint mc_kind(const McInput &block, const McSource &source, uint32_t bit_depth, bool pairs) {
    if (block.scaled()) return MC_SCALED_1;
    const uint in_word = samples_in_word(bit_depth);
    const bool across = block.mx != 0;
    if (block.my) {
        if (bit_depth == 8 && pairs && block.width >= 8 &&
            reads_inside(block, source, 2, bit_depth))
            return across ? MC_BOTH_2 : MC_DOWN_2;
        if (!reads_inside(block, source, 1, bit_depth)) return MC_ANY_1;
        return across ? MC_BOTH_1 : MC_DOWN_1;
    }
    if (block.height % 4) return MC_ANY_1;
    const uint words = pairs && block.width >= 2 * in_word ? 2 : 1;
    if (words == 1 && bit_depth != 8) return MC_ANY_1;
    if (!reads_inside(block, source, words, bit_depth)) return MC_ANY_1;
    if (words == 2) return across ? MC_ACROSS_2 : MC_COPY_2;
    return across ? MC_ACROSS_1 : MC_COPY_1;
}

McShape mc_shape(const McInput &block, uint kind, uint32_t bit_depth) {
    McShape shape;
    shape.side_log2 = log2_of(block.width / (words_of(kind) * samples_in_word(bit_depth)));
    for (shape.rows = most_rows(kind);; shape.rows *= 2) {
        const uint32_t down = (block.height + shape.rows - 1) / shape.rows;
        shape.lanes_log2 = shape.side_log2 + log2_of(down);
        if (1u << shape.lanes_log2 <= MC_LANES) return shape;
    }
}

void McPacker::begin(const SampleMap &map, std::span<const McSource> sources,
                     const Shaders &shaders) {
    map_ = map;
    for (unsigned p = 0; p < max_planes; p++)
        pairs_[p] = p < map.format.planes() && may_write_pairs(map, p);
    sources_.assign(sources.begin(), sources.end());
    shaders_ = shaders;
    buckets_.assign(keys * shapes, {});
    records_.clear();
    bucket_of_record_.clear();
}

// What the kind and the size of a block say of its workgroup.
McPacker::Group McPacker::group_of(const McInput &block, uint kind) const {
    const McShape shape = mc_shape(block, kind, map_.format.bit_depth);
    return {(kind * side_count + shape.side_log2) * lanes_count + shape.lanes_log2, shape.rows,
            cost_of(block, kind, shape.rows)};
}

// Nearly all blocks are of these: not scaled, with a height that is a power of two.
void McPacker::fill_groups() {
    if (groups_depth_ == map_.format.bit_depth) return;
    groups_depth_ = map_.format.bit_depth;
    McInput block{};
    for (uint kind = 0; kind < MC_SCALED_1; kind++)
        for (uint width = 2; width < 7; width++)
            for (uint height = 0; height < 7; height++) {
                block.width = uint8_t(1u << width);
                block.height = uint8_t(1u << height);
                if (block.width >= words_of(kind) * samples_in_word(groups_depth_))
                    groups_[kind][width][height] = group_of(block, kind);
            }
}

void McPacker::add(std::span<const McInput> blocks) {
    const uint32_t depth = map_.format.bit_depth;
    const bool planes_alike = pairs_[1] == pairs_[2];
    const uint32_t pair_mask = depth == 8 ? 7 : 3;
    fill_groups();
    McRecord *record = records_.append(blocks.size());
    uint32_t *number = bucket_of_record_.append(blocks.size());
    uint64_t cost = 0;
    for (size_t i = 0; i < blocks.size(); i++) {
        const McInput &block = blocks[i];
        if (i && planes_alike && is_second_of_pair(blocks[i - 1], block)) {
            record[i] = record[i - 1];
            record[i].place += 1u << 28;
            number[i] = number[i - 1];
        } else {
            const bool pairs = pairs_[block.plane] && !(block.x & pair_mask);
            const uint kind = mc_kind(block, sources_[block.reference], depth, pairs);
            const bool usual = kind != MC_SCALED_1 && !(block.height & (block.height - 1));
            const Group group =
                usual ? groups_[kind][std::countr_zero(block.width)][std::countr_zero(block.height)]
                      : group_of(block, kind);
            number[i] = key_of(block) * shapes + group.number;
            record[i] = record_of(block, kind, group.rows);
            cost = group.cost;
        }
        buckets_[number[i]].blocks++;
        buckets_[number[i]].cost += cost;
    }
}

void McPacker::place(Plan &plan) {
    auto &arena = plan.arena;
    arena.resize((arena.size() + 3) / 4 * 4);
    const uint32_t taps_at = uint32_t(arena.size());
    arena.append(&packed.words[0][0][0], sizeof packed.words / sizeof(uint32_t));
    size_t word = arena.size();
    for (Bucket &bucket : buckets_) {
        bucket.word = uint32_t(word);
        word += bucket.blocks * (sizeof(McRecord) / 4);
    }
    arena.grow(word);
    const auto numbers = bucket_of_record_.span();
    for (size_t i = 0; i < numbers.size(); i++) {
        Bucket &bucket = buckets_[numbers[i]];
        McRecord &record = records_[i];
        if (numbers[i] / shapes % 2) record.taps_down_0 += taps_at; // scaled
        std::memcpy(&arena[bucket.word], &record, sizeof record);
        bucket.word += sizeof record / 4;
    }
}

void McPacker::add_dispatch(uint32_t key, uint32_t first_group, uint32_t groups, Plan &plan) const {
    if (!groups) return;
    const bool scaled = key % 2, average = key / (2 * max_references);
    const uint32_t reference = key / 2 % max_references;
    const McSource &source = sources_[reference];
    McPush push{};
    push.groups = first_group;
    push.sample_max = (1u << map_.format.bit_depth) - 1;
    push.average = average;
    std::memcpy(&push.plane_offset_0, map_.offset_words, sizeof map_.offset_words);
    std::memcpy(&push.plane_stride_0, map_.stride_words, sizeof map_.stride_words);
    std::memcpy(&push.reference_offset_0, source.map.offset_words, sizeof map_.offset_words);
    std::memcpy(&push.reference_stride_0, source.map.stride_words, sizeof map_.stride_words);
    const unsigned chroma = map_.format.planes() - 1;
    push.last_x_0 = source.width[0] - 1;
    push.last_x_1 = source.width[chroma] - 1;
    push.last_y_0 = source.height[0] - 1;
    push.last_y_1 = source.height[chroma] - 1;
    plan.dispatch(scaled ? shaders_.scaled : shaders_.unscaled[average], {groups, 1, 1}, push);
    plan.dispatches.back().reference = reference;
}

void McPacker::finish(Plan &plan) {
    auto &arena = plan.arena;
    uint32_t key = 0, first = uint32_t(arena.size()), groups = 0;
    uint64_t cost = 0;
    auto cut = [&](uint32_t next_key) {
        add_dispatch(key, first, groups, plan);
        key = next_key, first = uint32_t(arena.size()), groups = 0, cost = 0;
    };
    for (uint32_t number = 0; number < buckets_.size(); number++) {
        const Bucket &bucket = buckets_[number];
        if (!bucket.blocks) continue;
        if (number / shapes != key) cut(number / shapes);
        const uint lanes = number % lanes_count, side = number / lanes_count % side_count;
        const uint kind = number / (side_count * lanes_count) % MC_KINDS;
        const uint64_t group_cost = bucket.cost / bucket.blocks * (MC_LANES / 16);
        const uint32_t most = MC_LANES >> lanes, each = sizeof(McRecord) / 4;
        uint32_t record = bucket.word - bucket.blocks * each;
        for (; record < bucket.word; record += most * each) {
            if (groups && cost + group_cost > dispatch_cost) cut(key);
            const uint32_t here = std::min(most, (bucket.word - record) / each);
            arena.push_back(record);
            arena.push_back(kind | side << 4 | lanes << 8 | here << 16);
            cost += group_cost;
            groups++;
        }
    }
    cut(0);
}

} // namespace v3doff::vp9
