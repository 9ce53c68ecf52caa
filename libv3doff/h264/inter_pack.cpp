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
        prepare_inside(luma);
        if (map.format.planes() > 1 && !plane_[chroma].as_luma) prepare_inside(chroma);
    }
    buckets_.clear();
    slot_of_key_.fill(-1);
    records_.clear();
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

// But for the height.
uint InterPacker::bucket_of(const InterPlane &plane, const InterPlace &place,
                            const InterInput &block, InterMode mode, Planes planes) const {
    const uint32_t depth = map_.format.bit_depth;
    const uint kind = inter_kind(plane, place, block, mode, depth);
    const uint width = block.width >> plane.shift_x;
    const uint lanes_log2 = uint(std::bit_width(width - 1u)) - inter_samples_log2(kind, depth);
    return ((planes * INTER_KINDS + kind) * lane_counts + lanes_log2) * heights;
}

void InterPacker::prepare_inside(Planes planes) {
    InterPlane endless = plane_[planes];
    endless.width = endless.height = 1024;
    for (uint weighs = 0; weighs < 2; weighs++)
        for (uint size = 0; size < 3; size++)
            for (int fractions = 0; fractions < 64; fractions++) {
                InterInput block{};
                block.width = block.height = uint8_t(4 << size);
                inside_[planes][weighs][size][size_t(fractions)] =
                    uint16_t(bucket_of(endless, {512, 512, fractions & 7, fractions >> 3}, block,
                                       weighs ? InterMode::weighted : InterMode::put, planes));
            }
}

inline void InterPacker::add_record(const InterInput &block, unsigned list, InterMode mode,
                                    Planes planes, InterRecord record, uint32_t first_bucket) {
    const InterPlane &plane = plane_[planes];
    const InterPlace place = plane.place(block, list);
    const uint height = block.height >> 3u; // 0, 1, 2 of 4, 8, 16
    const bool usual = (block.width == 4 || block.x % 8 == 0) && plane.inside(place, block);
    const bool weighs = mode == InterMode::weighted || mode == InterMode::weighted_second;
    record.bucket = first_bucket + height;
    record.bucket += usual ? inside_[planes][weighs][block.width >> 3]
                                    [size_t(place.fraction_x | place.fraction_y << 3)]
                           : bucket_of(plane, place, block, mode, planes);
    buckets_[record.bucket].count++;
    *records_.append(1) = record;
}

void InterPacker::add_prediction(const InterInput &block, unsigned list, InterMode mode,
                                 uint32_t weights) {
    InterRecord record;
    record.place = block.x / 4u | block.y / 4u << 12 | uint32_t(block.height) << 24;
    record.vector = halves(block.vector[list][0], block.vector[list][1]);
    record.weights = weights;
    const uint32_t first = first_bucket(uint(mode) * max_references + uint(block.reference[list]));
    add_record(block, list, mode, luma, record, first);
    if (map_.format.planes() > 1 && !plane_[chroma].as_luma)
        add_record(block, list, mode, chroma, record, first);
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
        word += bucket.count * each;
    }
    arena.grow(word);
    for (const InterRecord &record : records_.span()) {
        Bucket &bucket = buckets_[record.bucket];
        std::memcpy(&arena[bucket.word], &record, sizeof record);
        bucket.word += each;
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

void InterPacker::add_groups(uint number, const Bucket &bucket, uint key, Plan &plan) {
    const uint height = number % heights, lanes_log2 = number / heights % lane_counts;
    const uint kind = number / (heights * lane_counts) % INTER_KINDS;
    const bool is_luma = number < INTER_KINDS * lane_counts * heights;
    const uint last_plane = map_.format.planes() - 1;
    const uint from = is_luma ? 0 : 1;
    const uint to = is_luma && !plane_[chroma].as_luma ? 0 : last_plane;
    const uint rows = 4u << height >> plane_[is_luma ? luma : chroma].shift_y;
    const uint64_t group_cost = uint64_t(inter_cost(kind, rows)) * (INTER_LANES / 16);
    const uint samples_log2 = inter_samples_log2(kind, map_.format.bit_depth);
    constexpr uint each = sizeof(InterRecord) / 4;
    const uint most = INTER_LANES >> lanes_log2;
    auto &arena = plan.arena;
    for (uint32_t word = bucket.word - bucket.count * each; word < bucket.word;
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
            if (bucket.count) add_groups(number, bucket, key, plan);
        }
        cut(key, plan);
    }
}

} // namespace v3doff::h264
