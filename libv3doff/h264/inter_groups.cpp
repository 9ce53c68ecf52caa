// SPDX-License-Identifier: BSD-2-Clause
// Rectangles in their buckets become workgroups and dispatches.
#include <cstring>

#include "h264/inter_pack.hpp"
#include "vk/caps_costs.hpp"

namespace v3doff::h264 {
namespace {

// A dispatch takes at most about a millisecond.
constexpr uint64_t most_inter_cost = vk::instructions_per_ms;

bool weighs(InterMode mode) {
    return mode == InterMode::weighted || mode == InterMode::weighted_second;
}

} // namespace

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
        const auto mode = InterMode(key / max_inter_sources);
        const InterSource &from = sources_[key % max_inter_sources];
        const SampleMap &source = from.map;
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
        Dispatch &added = plan.dispatch(shader, {groups_, 1, 1}, push, vk::in_place);
        added.reference = from.reference;
        added.follows = follows_;
        follows_ = true;
    }
    first_group_ = uint32_t(plan.arena.size()), groups_ = 0, cost_ = 0;
}

void InterPacker::add_bucket(uint number, const Bucket &bucket, uint key, Plan &plan) {
    const uint height = number % heights;
    if (number < inside_buckets) {
        const bool weighted = weighs(InterMode(key / max_inter_sources));
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
        if (key == uint(InterMode::average) * max_inter_sources) follows_ = false;
        if (slot_of_key_[key] < 0) continue;
        for (uint number = 0; number < bucket_count; number++) {
            const Bucket &bucket = buckets_[size_t(slot_of_key_[key]) + number];
            if (bucket.count()) add_bucket(number, bucket, key, plan);
        }
        cut(key, plan);
    }
}

} // namespace v3doff::h264
