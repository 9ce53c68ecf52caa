// SPDX-License-Identifier: BSD-2-Clause
// Rectangles in their buckets become workgroups and dispatches.
#include <cstring>
#include <utility>

#include "common/push.hpp"
#include "h264/inter_pack.hpp"

namespace v3doff::h264 {
// Records in the order of their buckets.
void InterPacker::place(Plan &plan) {
    auto &arena = plan.arena;
    arena.align(4);
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

Dispatch inter_dispatch(const SampleMap &map, const InterSource &from, InterMode mode,
                        const InterShaders &shaders) {
    const InterPlane luma(map.format, 0), chroma(map.format, 1);
    InterPush push{};
    set_planes(push, map);
    set_reference(push, from.map);
    push.last_x_0 = uint(luma.width) - 1;
    push.last_x_1 = uint(chroma.width) - 1;
    push.last_y_0 = uint(luma.height) - 1;
    push.last_y_1 = uint(chroma.height) - 1;
    push.shift_x = chroma.shift_x, push.shift_y = chroma.shift_y;
    push.chroma_down = from.chroma_down;
    const uint32_t shader = mode == InterMode::put       ? shaders.put
                            : mode == InterMode::average ? shaders.average
                                                         : shaders.weighted;
    Dispatch dispatch(shader, {}, push, vk::in_place);
    dispatch.reference = from.reference;
    return dispatch;
}

void InterPacker::add_bucket(uint number, const Bucket &bucket, bool weighted,
                             GroupDispatches &to) const {
    const uint height = number % heights;
    if (number < inside_buckets) {
        const uint width = number / heights % widths;
        for (Planes planes : {luma, chroma})
            if (planes == luma || chroma_apart_)
                add_groups(planes, inside_kinds_[planes][weighted][number / class_buckets][width],
                           width, height, bucket, to);
        return;
    }
    number -= inside_buckets;
    const Planes planes = number < INTER_KINDS * kind_buckets ? luma : chroma;
    add_groups(planes, number / kind_buckets % INTER_KINDS, number / heights % end_widths, height,
               bucket, to);
}

void InterPacker::add_groups(Planes planes, uint kind, uint width, uint height,
                             const Bucket &bucket, GroupDispatches &to) const {
    const InterPlane &shape = plane_[planes];
    const uint first = planes == luma ? 0 : 1;
    const uint last = planes == luma && chroma_apart_ ? 0 : map_.format.planes() - 1;
    const uint rows = 4u << height >> shape.shift_y;
    const uint64_t group_cost = uint64_t(inter_cost(kind, rows)) * (INTER_LANES / 16);
    const uint samples_log2 = inter_samples_log2(kind, map_.format.bit_depth);
    const uint lanes_log2 = width + 2 - shape.shift_x - samples_log2;
    constexpr uint each = sizeof(InterRecord) / 4;
    const uint most = INTER_LANES >> lanes_log2;
    for (uint32_t word = bucket.word - bucket.count() * each; word < bucket.word;
         word += most * each) {
        const uint here = std::min(most, (bucket.word - word) / each);
        for (uint plane = first; plane <= last; plane++)
            to.add(word, kind | lanes_log2 << 5 | samples_log2 << 8 | here << 16 | plane << 24,
                   group_cost);
    }
}

// All first predictions, then those that are combined with them: of each no two touch the same
// samples.
void InterPacker::finish(Plan &plan) {
    place(plan);
    bool follows = false;
    for (uint key = 0; key < key_count; key++) {
        if (key == uint(InterMode::average) * max_inter_sources) follows = false;
        if (slot_of_key_[key] < 0) continue;
        Dispatch like = inter_dispatch(map_, sources_[key % max_inter_sources],
                                       InterMode(key / max_inter_sources), shaders_);
        like.follows = std::exchange(follows, true);
        GroupDispatches dispatches(plan, like);
        for (uint number = 0; number < bucket_count; number++) {
            const Bucket &bucket = buckets_[size_t(slot_of_key_[key]) + number];
            if (bucket.count())
                add_bucket(number, bucket, inter_weighs(InterMode(key / max_inter_sources)),
                           dispatches);
        }
    }
}

} // namespace v3doff::h264
