// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter_pack.hpp"

#include <bit>
#include <cstring>

#include "util/error.hpp"
#include "vk/caps_costs.hpp"

namespace v3doff::h264 {
namespace {

// A dispatch takes at most about a millisecond.
constexpr uint64_t most_inter_cost = vk::instructions_per_ms;

// The number of a width or height among 4, 8, 16 and so on.
uint size_number(uint side) {
    return uint(std::countr_zero(side)) - 2;
}

bool weighs(InterMode mode) {
    return mode == InterMode::weighted || mode == InterMode::weighted_second;
}

// By the fractions, those of chroma, across and down. Of one class are those that have the same
// kinds in each plane: 0 none, 1 none of luma, 2 across, 3 down, 4 both odd, 5 half across and any
// down, 6 odd across and half down.
constexpr std::array<uint8_t, 64> make_classes() {
    std::array<uint8_t, 64> table{};
    for (uint i = 0; i < 64; i++) {
        const uint x = i & 3, y = i >> 3 & 3;
        table[i] = uint8_t(!i          ? 0
                           : !x && !y  ? 1
                           : !y        ? 2
                           : !x        ? 3
                           : x & y & 1 ? 4
                           : x == 2    ? 5
                                       : 6);
    }
    return table;
}
constexpr std::array<uint8_t, 64> class_of_fractions = make_classes();

uint32_t halves(int low, int high) {
    return uint32_t(low & 0xffff) | uint32_t(high) << 16;
}

// What a block is that uses one list or both.
constexpr InterInput one_list[3] = {
    {0, 0, 4, 4, {0, -1}, 0, {}}, {0, 0, 4, 4, {-1, 0}, 0, {}}, {0, 0, 4, 4, {0, 0}, 0, {}}};

// Whether the combination gives what the default gives.
bool is_default(const InterCombination &c, bool both) {
    const int one = both ? 1 << (c.shift - 1) : 1 << c.shift;
    return c.second == one && c.first == (both ? one : 0) && !c.offset;
}

} // namespace

void InterPacker::begin(const SampleMap &map, std::span<const SampleMap> sources,
                        std::span<const InterWeights> weights, const Shaders &shaders, Plan &plan) {
    for (unsigned p = 0; p < map.format.planes(); p++)
        if ((map.offset_words[p] | map.stride_words[p]) % 2)
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "planes do not lie at whole pairs of words");
    const bool other_format = !(map_.format == map.format);
    map_ = map;
    sources_.assign(sources.begin(), sources.end());
    shaders_ = shaders;
    if (other_format) {
        plane_[luma] = InterPlane(map.format, 0);
        plane_[chroma] = InterPlane(map.format, 1);
        chroma_apart_ = map.format.planes() > 1 && !plane_[chroma].as_luma;
        prepare_inside();
    }
    buckets_.clear();
    slot_of_key_.fill(-1);
    records_.clear();
    chunks_.clear();
    pack_weights(weights, plan);
}

void InterPacker::pack_weights(std::span<const InterWeights> weights, Plan &plan) {
    auto &arena = plan.arena;
    arena.resize((arena.size() + 3) / 4 * 4);
    weights_.assign(weights.size(), {});
    for (size_t i = 1; i < weights.size(); i++)
        for (unsigned use = 0; use < 3; use++) {
            uint32_t words[sizeof(InterWeightRecord) / 4] = {};
            bool all_default = true;
            for (unsigned p = 0; p < map_.format.planes(); p++) {
                const InterCombination c =
                    inter_combination(weights[i], one_list[use], p, map_.format.bit_depth);
                words[2 * p] = halves(c.first, c.second);
                words[2 * p + 1] = halves(c.offset, c.shift);
                all_default &= is_default(c, use == 2);
            }
            if (all_default) continue;
            weights_[i].word[use] = uint32_t(arena.size());
            arena.append(words, std::size(words));
        }
}

// Its buckets follow each other from here on.
uint32_t InterPacker::first_bucket(uint key) {
    if (slot_of_key_[key] < 0) {
        slot_of_key_[key] = int(buckets_.size());
        buckets_.resize(buckets_.size() + bucket_count);
    }
    return uint32_t(slot_of_key_[key]);
}

void InterPacker::prepare_inside() {
    constexpr int before = 2, behind = 3; // samples that luma's filter reads beside those it makes
    for (uint number = 0; number < widths; number++)
        end_x_[number] =
            uint(std::max(0, 4 * (plane_[luma].width - (4 << number) - before - behind) + 1));
    for (uint number = 0; number < heights; number++)
        end_y_[number] =
            uint(std::max(0, 4 * (plane_[luma].height - (4 << number) - before - behind) + 1));
    for (Planes planes : {luma, chroma}) {
        InterPlane endless = plane_[planes];
        endless.width = endless.height = 4096;
        for (uint weighted = 0; weighted < 2; weighted++)
            for (uint number = 0; number < widths; number++)
                for (int i = 0; i < 64; i++) {
                    const InterInput block{512,
                                           512,
                                           uint8_t(4u << number),
                                           4,
                                           {0, -1},
                                           0,
                                           {{int16_t(i & 7), int16_t(i >> 3)}, {}}};
                    inside_kinds_[planes][weighted][class_of_fractions[size_t(i)]][number] =
                        uint8_t(inter_kind(endless, endless.place(block, 0), block,
                                           weighted ? InterMode::weighted : InterMode::put,
                                           map_.format.bit_depth));
                }
    }
}

void InterPacker::enlarge(uint32_t number) {
    Bucket &bucket = buckets_[number];
    const uint32_t size = std::clamp(bucket.room, 8u, 1024u), first = uint32_t(records_.size());
    records_.append(size);
    chunks_.push_back({number, first, size});
    bucket.next = first, bucket.end = first + size;
    bucket.room += size;
}

inline void InterPacker::append(uint32_t number, const InterRecord &record) {
    if (buckets_[number].next == buckets_[number].end) enlarge(number);
    records_[buckets_[number].next++] = record;
}

// What may read outside, or does not lie as most rectangles do.
void InterPacker::add_near_edge(const InterInput &block, unsigned list, InterMode mode,
                                const InterRecord &record, uint32_t first_bucket) {
    if (block.width > 16) {
        InterInput half = block; // perhaps one of them is inside
        half.width /= 2;
        add_part(half, list, mode, record.weights);
        half.x += half.width;
        add_part(half, list, mode, record.weights);
        return;
    }
    for (Planes planes : {luma, chroma}) {
        if (planes == chroma && !chroma_apart_) break;
        const InterPlane &plane = plane_[planes];
        const uint kind =
            inter_kind(plane, plane.place(block, list), block, mode, map_.format.bit_depth);
        append(first_bucket + inside_buckets + (planes * INTER_KINDS + kind) * kind_buckets +
                   size_number(block.width) * heights + size_number(block.height),
               record);
    }
}

[[gnu::always_inline]] inline void InterPacker::add_prediction(const InterInput &block,
                                                               unsigned list, InterMode mode,
                                                               uint32_t weights) {
    const int across = block.vector[list][0], down = block.vector[list][1];
    const InterRecord record{block.x / 4u | block.y / 4u << 12 | uint32_t(block.height) << 24,
                             halves(across, down), weights, 0};
    const uint32_t first = first_bucket(uint(mode) * max_references + uint(block.reference[list]));
    const uint width = size_number(block.width), height = size_number(block.height);
    const uint at_x = uint(4 * (block.x - 2) + across), at_y = uint(4 * (block.y - 2) + down);
    const bool aligned = !(block.x % 8) || !width;
    if (!aligned || at_x >= end_x_[width] || at_y >= end_y_[height])
        return add_near_edge(block, list, mode, record, first);
    const uint number = class_of_fractions[size_t((across & 7) | (down & 7) << 3)];
    append(first + number * class_buckets + width * heights + height, record);
}

void InterPacker::add_part(const InterInput &block, unsigned list, InterMode mode,
                           uint32_t weights) {
    add_prediction(block, list, mode, weights);
}

void InterPacker::add(std::span<const InterInput> blocks, Plan &plan) {
    RowRange rows;
    for (const InterInput &block : blocks) {
        rows.add(block.y, block.y + block.height);
        if (block.bidirectional()) {
            const uint32_t weights = block.weights ? weights_[block.weights].word[2] : as_default;
            add_prediction(block, 0, InterMode::put, 0);
            add_prediction(block, 1,
                           weights == as_default ? InterMode::average : InterMode::weighted_second,
                           weights);
            continue;
        }
        const unsigned list = block.reference[0] < 0;
        const uint32_t weights = block.weights ? weights_[block.weights].word[list] : as_default;
        add_prediction(block, list, weights == as_default ? InterMode::put : InterMode::weighted,
                       weights);
    }
    for (unsigned p = 0; p < map_.format.planes() && !rows.empty(); p++)
        plan.rows[p].add(rows.first >> map_.format.shift_y(p), rows.end >> map_.format.shift_y(p));
}

// Records in the order of their buckets.
void InterPacker::place(Plan &plan) {
    auto &arena = plan.arena;
    arena.resize((arena.size() + 3) / 4 * 4);
    size_t word = arena.size();
    constexpr size_t each = sizeof(InterRecord) / 4;
    for (Bucket &bucket : buckets_) {
        bucket.word = uint32_t(word);
        word += bucket.count() * each;
    }
    arena.grow(word);
    for (const Chunk &chunk : chunks_) {
        Bucket &bucket = buckets_[chunk.bucket];
        const bool is_last = chunk.first + chunk.size == bucket.end;
        const size_t words = (is_last ? bucket.next - chunk.first : chunk.size) * each;
        std::memcpy(&arena[bucket.word], &records_[chunk.first], 4 * words);
        bucket.word += words;
    }
}

// Ends the dispatch that groups were added to.
void InterPacker::cut(uint key, Plan &plan) {
    if (groups_) {
        const auto mode = InterMode(key / max_references);
        const uint reference = key % max_references;
        const SampleMap &source = sources_[reference];
        InterPush push{};
        push.groups = first_group_;
        push.sample_max = (1u << map_.format.bit_depth) - 1;
        std::memcpy(&push.plane_offset_0, map_.offset_words, sizeof map_.offset_words);
        std::memcpy(&push.plane_stride_0, map_.stride_words, sizeof map_.stride_words);
        std::memcpy(&push.reference_offset_0, source.offset_words, sizeof source.offset_words);
        std::memcpy(&push.reference_stride_0, source.stride_words, sizeof source.stride_words);
        push.last_x_0 = uint(plane_[luma].width) - 1;
        push.last_x_1 = uint(plane_[chroma].width) - 1;
        push.last_y_0 = uint(plane_[luma].height) - 1;
        push.last_y_1 = uint(plane_[chroma].height) - 1;
        push.shift_x = plane_[chroma].shift_x, push.shift_y = plane_[chroma].shift_y;
        const uint32_t shader = mode == InterMode::put       ? shaders_.put
                                : mode == InterMode::average ? shaders_.average
                                                             : shaders_.weighted;
        plan.dispatch(shader, {groups_, 1, 1}, push);
        vk::Dispatch &added = plan.dispatches.back();
        added.reference = reference;
        added.reads = added.writes = vk::memory_samples;
        added.follows = follows_;
        follows_ = true;
    }
    first_group_ = uint32_t(plan.arena.size()), groups_ = 0, cost_ = 0;
}

void InterPacker::add_bucket(uint number, const Bucket &bucket, uint key, Plan &plan) {
    const uint height = number % heights;
    if (number < inside_buckets) {
        const bool weighted = weighs(InterMode(key / max_references));
        const uint width = number / heights % widths;
        for (Planes planes : {luma, chroma})
            if (planes == luma || chroma_apart_)
                add_groups(planes, inside_kinds_[planes][weighted][number / class_buckets][width],
                           width, height, bucket, key, plan);
        return;
    }
    number -= inside_buckets;
    const Planes planes = number < INTER_KINDS * kind_buckets ? luma : chroma;
    add_groups(planes, number / kind_buckets % INTER_KINDS, number / heights % end_widths, height,
               bucket, key, plan);
}

void InterPacker::add_groups(Planes planes, uint kind, uint width, uint height,
                             const Bucket &bucket, uint key, Plan &plan) {
    const InterPlane &shape = plane_[planes];
    const uint from = planes == luma ? 0 : 1;
    const uint to = planes == luma && chroma_apart_ ? 0 : map_.format.planes() - 1;
    const uint rows = 4u << height >> shape.shift_y;
    const uint64_t group_cost = uint64_t(inter_cost(kind, rows)) * (INTER_LANES / 16);
    const uint samples_log2 = inter_samples_log2(kind, map_.format.bit_depth);
    const uint lanes_log2 = width + 2 - shape.shift_x - samples_log2;
    constexpr uint each = sizeof(InterRecord) / 4;
    const uint most = INTER_LANES >> lanes_log2;
    auto &arena = plan.arena;
    for (uint32_t word = bucket.word - bucket.count() * each; word < bucket.word;
         word += most * each) {
        const uint here = std::min(most, (bucket.word - word) / each);
        for (uint plane = from; plane <= to; plane++) {
            if (groups_ && cost_ + group_cost > most_inter_cost) cut(key, plan);
            arena.push_back(word);
            arena.push_back(kind | lanes_log2 << 5 | samples_log2 << 8 | here << 16 | plane << 24);
            cost_ += group_cost;
            groups_++;
        }
    }
}

void InterPacker::finish(Plan &plan) {
    place(plan);
    plan.arena.resize((plan.arena.size() + 1) / 2 * 2);
    first_group_ = uint32_t(plan.arena.size()), groups_ = 0, cost_ = 0;
    follows_ = false;
    for (uint key = 0; key < key_count; key++) {
        if (key == uint(InterMode::average) * max_references) follows_ = false;
        if (slot_of_key_[key] < 0) continue;
        for (uint number = 0; number < bucket_count; number++) {
            const Bucket &bucket = buckets_[size_t(slot_of_key_[key]) + number];
            if (bucket.count()) add_bucket(number, bucket, key, plan);
        }
        cut(key, plan);
    }
}

} // namespace v3doff::h264
