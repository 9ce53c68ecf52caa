// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/inter/pack.hpp"

#include <algorithm>
#include <cstring>

#include "common/push.hpp"

namespace v3doff::vp9 {
namespace {

// log2 of the invocations of a block, side by side and one below the other.
constexpr uint side_count = 6, down_count = 4;
constexpr uint shapes = INTER_KINDS * side_count * down_count;
// A dispatch has one value of: average, reference, scaled. Those that only write come first.
constexpr uint keys = 2 * inter_references * 2;

static_assert(keys * shapes * 2 <= 0x10000); // INTER_BUCKET

static_assert(inter_furthest < int32_t(INTER_BIAS));

uint key_of(const InterInput &block) {
    return (uint(block.average) * inter_references + block.reference) * 2 + block.scaled();
}

uint32_t packed_taps(const int16_t *taps) {
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++)
        word |= uint32_t(taps[i] + int(INTER_TAP_BIAS)) << 8 * i;
    return word;
}

uint group_word(uint kind, uint side_log2, uint lanes_log2) {
    return pack(kind, INTER_GROUP_KIND) | pack(side_log2, INTER_GROUP_SIDE_LOG2) |
           pack(lanes_log2, INTER_GROUP_LANES_LOG2);
}

bool is_aligned(const SampleMap &map, unsigned plane, uint32_t words) {
    return (map.offset_words[plane] | map.stride_words[plane]) % words == 0;
}

// The taps of all filters and fractions, as records have them.
struct PackedTaps {
    uint32_t words[inter_filters][inter_fractions][2];
    PackedTaps() {
        for (unsigned filter = 0; filter < inter_filters; filter++)
            for (unsigned fraction = 0; fraction < inter_fractions; fraction++) {
                const auto &taps = inter_filter(filter, fraction);
                words[filter][fraction][0] = packed_taps(taps);
                words[filter][fraction][1] = packed_taps(taps + 4);
            }
    }
};
const PackedTaps packed;

} // namespace

void InterPacker::begin(const SampleMap &map, std::span<const SampleMap> references,
                        const Shaders &shaders, Plan &plan) {
    map_ = map;
    many_lanes_ = plan.is_discrete;
    for (unsigned p = 0; p < max_planes; p++)
        pairs_[p] =
            p < map.format.planes() && is_aligned(map, p, 2) &&
            std::all_of(references.begin(), references.end(),
                        [p](const SampleMap &reference) { return is_aligned(reference, p, 4); });
    references_.assign(references.begin(), references.end());
    shaders_ = shaders;
    auto &arena = plan.arena;
    arena.align(4);
    taps_at_ = uint32_t(arena.size());
    arena.append(&packed.words[0][0][0], sizeof packed.words / sizeof(uint32_t));
    buckets_.resize(keys * shapes * planes_count);
    for (const uint32_t bucket : used_)
        buckets_[bucket] = {};
    used_.clear();
    records_.clear();
    words_ = nullptr;
}

void InterPacker::add_any(InterInput block, Planes planes) {
    const PictureFormat &from = references_[block.reference].format;
    const uint32_t depth = map_.format.bit_depth;
    block.ref_x = inter_near(block.ref_x, from.plane_width(block.plane));
    block.ref_y = inter_near(block.ref_y, from.plane_height(block.plane));
    const bool pairs = pairs_[block.plane] && block.x % (2 * inter_samples_in_word(depth)) == 0;
    const uint kind = inter_kind(block, from, depth, pairs);
    const InterShape shape = inter_shape(block, kind, depth, many_lanes_);
    const uint32_t down_log2 = shape.lanes_log2 - shape.side_log2;
    const uint32_t number = (kind * side_count + shape.side_log2) * down_count + down_log2;
    const uint32_t bucket = (key_of(block) * shapes + number) * planes_count + planes;
    InterRecord &record = *records_.append(1);
    record.place = pack_place(block.x / 4, block.y / 4, block.plane);
    record.source = pack(uint(block.ref_x) + INTER_BIAS, INTER_SOURCE_X) |
                    pack(uint(block.ref_y) + INTER_BIAS, INTER_SOURCE_Y);
    record.shape = pack(block.height, INTER_HEIGHT) | pack(shape.rows, INTER_ROWS) |
                   pack(block.mx, INTER_FRACTION_X) | pack(block.my, INTER_FRACTION_Y) |
                   pack(block.filter, INTER_FILTER);
    record.bucket = pack(bucket, INTER_BUCKET) | pack(block.step_x, INTER_STEP_X) |
                    pack(block.step_y, INTER_STEP_Y);
    if (!buckets_[bucket].sum) used_.push_back(bucket);
    buckets_[bucket].sum += uint64_t(inter_cost(block, kind, shape.rows)) << cost_shift | 1;
}

void InterPacker::add(std::span<const InterInput> blocks) {
    for (const InterInput &block : blocks)
        add_any(block, its_plane);
}

void InterPacker::add_unusual(const InterPredictor::Pieces &pieces) {
    for (InterInput piece : pieces) {
        const bool both = piece.plane && pairs_[1] == pairs_[2];
        add_any(piece, both ? both_chroma : its_plane);
        if (!piece.plane || both) continue;
        piece.plane = 2;
        add_any(piece, its_plane);
    }
}

void InterPacker::add(const InterWords &blocks) {
    for (const InterWords::Other &other : blocks.others())
        add_unusual(blocks.pieces(inter_block(other.words, other.which)));
    if (pairs_[1] == pairs_[2])
        words_ = &blocks;
    else
        for (const InterRecord &block : blocks.blocks())
            add_unusual(blocks.pieces(InterWords::block_of(block)));
}

// Records in the order of their buckets.
void InterPacker::place(Plan &plan) {
    constexpr uint32_t each = sizeof(InterRecord) / 4;
    auto &arena = plan.arena;
    arena.align(4);
    size_t word = arena.size();
    for (const uint32_t number : used_) {
        buckets_[number].word = uint32_t(word);
        word += (buckets_[number].sum & most_blocks) * each;
    }
    words_end_.resize(InterWords::buckets);
    constexpr uint32_t of_reference = 1u << InterWords::reference_bit;
    for (uint32_t first = 0; words_ && first < InterWords::buckets; first += of_reference) {
        if (!words_->has(first / of_reference)) continue;
        for (uint32_t bucket = first; bucket < first + of_reference; bucket++) {
            words_end_[bucket] = uint32_t(word);
            word += words_->counts()[bucket] * each;
        }
    }
    arena.grow(word);
    for (const InterRecord &record : records_.span()) {
        Bucket &bucket = buckets_[unpack(record.bucket, INTER_BUCKET)];
        std::memcpy(&arena[bucket.word], &record, sizeof record);
        bucket.word += each;
    }
    if (!words_) return;
    uint32_t *const to = arena.data(), *const end = words_end_.data();
    for (const InterRecord &record : words_->blocks()) {
        std::memcpy(to + end[record.bucket], &record, sizeof record);
        end[record.bucket] += each;
    }
}

Dispatch InterPacker::dispatch_of(uint32_t key) const {
    const bool scaled = key % 2, average = key / (2 * inter_references);
    const uint32_t reference = key / 2 % inter_references;
    const PictureFormat &from = references_[reference].format;
    InterPush push{};
    set_planes(push, map_);
    set_reference(push, references_[reference]);
    push.taps = taps_at_;
    push.chroma_shifts = map_.format.shift_x(1) | map_.format.shift_y(1) << 1;
    push.average = average;
    const unsigned chroma = map_.format.planes() - 1;
    push.last_x_0 = from.plane_width(0) - 1;
    push.last_x_1 = from.plane_width(chroma) - 1;
    push.last_y_0 = from.plane_height(0) - 1;
    push.last_y_1 = from.plane_height(chroma) - 1;
    Dispatch dispatch(scaled ? shaders_.scaled : shaders_.unscaled[average], {}, push,
                      vk::in_place);
    dispatch.reference = reference;
    return dispatch;
}

InterPacker::Run InterPacker::run_of(uint32_t number) const {
    const Bucket &bucket = buckets_[number];
    const auto count = uint32_t(bucket.sum & most_blocks);
    const uint32_t shape = number / planes_count;
    const uint side = shape / down_count % side_count, lanes = side + shape % down_count;
    const uint kind = shape / (side_count * down_count) % INTER_KINDS;
    return {bucket.word - count * uint32_t(sizeof(InterRecord) / 4), count,
            group_word(kind, side, lanes), lanes,
            (bucket.sum >> cost_shift) / count * (INTER_LANES / 16)};
}

// The workgroups of one plane.
InterPacker::Run InterPacker::run_of_words(uint32_t bucket, bool chroma) const {
    constexpr PictureFormat endless{1024, 1024};
    const uint32_t plane = chroma ? InterWords::of_chroma : InterWords::of_luma;
    const BlockSize log2 = block_sizes[bucket >> InterWords::size_bit & 15];
    const uint32_t height_log2 = log2.height_log2 - (chroma ? map_.format.shift_y(1) : 0);
    InterInput block{};
    block.ref_x = block.ref_y = 512;
    block.step_x = block.step_y = inter_unscaled;
    block.width = uint8_t(1u << (log2.width_log2 - (chroma ? map_.format.shift_x(1) : 0)));
    block.height = uint8_t(1u << height_log2);
    block.mx = (bucket >> InterWords::across_bit & plane) != 0;
    block.my = (bucket >> InterWords::down_bit & plane) != 0;
    const uint32_t depth = map_.format.bit_depth;
    const uint kind = inter_kind(block, endless, depth, pairs_[chroma]);
    const InterShape shape = inter_shape(block, kind, depth, many_lanes_);
    const uint32_t count = words_->counts()[bucket];
    return {words_end_[bucket] - count * uint32_t(sizeof(InterRecord) / 4), count,
            group_word(kind, shape.side_log2, shape.lanes_log2) | INTER_GROUP_WORDS |
                pack(shape.rows / 8, INTER_GROUP_ROWS_8) |
                pack(height_log2, INTER_GROUP_HEIGHT_LOG2),
            shape.lanes_log2, inter_cost(block, kind, shape.rows) * (INTER_LANES / 16)};
}

void InterPacker::add_groups(const Run &run, uint32_t first_plane, uint32_t planes,
                             GroupDispatches &to) {
    const uint32_t most = INTER_LANES >> run.lanes_log2, each = sizeof(InterRecord) / 4;
    for (uint32_t at = 0; at < run.count; at += most)
        for (uint32_t plane = first_plane; plane < first_plane + planes; plane++)
            to.add(run.first + at * each,
                   run.group | pack(std::min(most, run.count - at), INTER_GROUP_COUNT) |
                       pack(plane, INTER_GROUP_PLANE),
                   run.cost);
}

void InterPacker::finish(Plan &plan) {
    std::sort(used_.begin(), used_.end());
    place(plan);
    auto used = used_.begin();
    for (uint32_t key = 0; key < keys; key++) {
        const uint32_t average = key / (2 * inter_references),
                       reference = key / 2 % inter_references;
        uint32_t bucket =
            (average << InterWords::average_bit) | (reference << InterWords::reference_bit);
        const bool any = words_ && key % 2 == 0 && words_->has(bucket >> InterWords::reference_bit);
        const auto is_listed = [&] {
            return used != used_.end() && *used / (shapes * planes_count) == key;
        };
        if (!any && !is_listed()) continue;
        GroupDispatches dispatches(plan, dispatch_of(key));
        const uint32_t end = any ? bucket + (1u << InterWords::reference_bit) : 0;
        for (; bucket < end; bucket++) {
            if (!words_->counts()[bucket]) continue;
            add_groups(run_of_words(bucket, false), 0, 1, dispatches);
            add_groups(run_of_words(bucket, true), 1, 2, dispatches);
        }
        for (; is_listed(); ++used)
            add_groups(run_of(*used), 0, 1 + *used % planes_count, dispatches);
    }
}

} // namespace v3doff::vp9
