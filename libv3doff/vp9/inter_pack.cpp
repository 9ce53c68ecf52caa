// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/inter_pack.hpp"

#include <algorithm>
#include <climits>
#include <cstring>

#include "vk/caps_costs.hpp"

namespace v3doff::vp9 {
namespace {

// log2 of the invocations of a block side by side, and below each other.
constexpr uint side_count = 6, down_count = 4;
constexpr uint shapes = INTER_KINDS * side_count * down_count;
// A dispatch has one of each: average, reference, scaled. All that only write come first.
constexpr uint keys = 2 * inter_references * 2;

static_assert(inter_furthest < int32_t(INTER_BIAS));

uint key_of(const InterInput &block) {
    return (uint(block.average) * inter_references + block.reference) * 2 + block.scaled();
}

// A dispatch takes at most about a millisecond.
constexpr uint64_t dispatch_cost = vk::instructions_per_ms;

// What reads nothing outside for certain, of luma: from where a block is predicted at least, and how
// far it ends from the reference's end. Half of it is still more than chroma's kernels need.
constexpr int least_start = 6, least_end_x = 24, least_end_y = 8;

uint32_t packed_taps(const int16_t *taps) {
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++)
        word |= uint32_t(taps[i] + int(INTER_TAP_BIAS)) << 8 * i;
    return word;
}

uint32_t biased(int32_t at) {
    return uint32_t(at + int32_t(INTER_BIAS));
}

bool may_write_pairs(const SampleMap &map, unsigned plane) {
    return (map.offset_words[plane] | map.stride_words[plane]) % 2 == 0;
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

void InterPacker::begin(const SampleMap &map, std::span<const InterSource> sources,
                     const Shaders &shaders, Plan &plan) {
    map_ = map;
    for (unsigned p = 0; p < max_planes; p++)
        pairs_[p] = p < map.format.planes() && may_write_pairs(map, p);
    sources_.clear();
    for (const InterSource &source : sources)
        sources_.push_back({source});
    shaders_ = shaders;
    auto &arena = plan.arena;
    arena.resize((arena.size() + 3) / 4 * 4);
    taps_at_ = uint32_t(arena.size());
    arena.append(&packed.words[0][0][0], sizeof packed.words / sizeof(uint32_t));
    buckets_.assign(keys * shapes * planes_count, {});
    records_.clear();
}

InterPacker::Group InterPacker::group_of(const InterInput &block, uint kind, Planes planes) const {
    const InterShape shape = inter_shape(block, kind, map_.format.bit_depth);
    const uint32_t down_log2 = shape.lanes_log2 - shape.side_log2;
    const uint32_t number = (kind * side_count + shape.side_log2) * down_count + down_log2;
    return {number * planes_count + planes, block.height | shape.rows << 8,
            uint64_t(inter_cost(block, kind, shape.rows)) << cost_shift | 1};
}

void InterPacker::add_any(InterInput block, Planes planes) {
    const Source &source = sources_[block.reference];
    const uint32_t depth = map_.format.bit_depth;
    block.ref_x = inter_near(block.ref_x, source.width[block.plane]);
    block.ref_y = inter_near(block.ref_y, source.height[block.plane]);
    const bool pairs = pairs_[block.plane] && block.x % (2 * inter_samples_in_word(depth)) == 0;
    const uint kind = inter_kind(block, source, depth, pairs);
    const Group group = group_of(block, kind, planes);
    InterRecord &record = *records_.append(1);
    record.place = block.x / 4 | block.y / 4 << 14 | block.plane << 28;
    record.source = biased(block.ref_x) | biased(block.ref_y) << 16;
    record.size = group.size;
    record.bucket = key_of(block) * (shapes * planes_count) + group.bucket;
    buckets_[record.bucket].sum += group.sum;
    if (kind == INTER_SCALED_1) {
        record.taps_across_0 = block.mx | uint32_t(block.step_x) << 16;
        record.taps_across_1 = block.my | uint32_t(block.step_y) << 16;
        record.taps_down_0 = taps_at_ + block.filter * inter_fractions * (inter_taps / 4);
        record.taps_down_1 = 0;
        return;
    }
    const auto &taps = packed.words[block.filter];
    std::memcpy(&record.taps_across_0, taps[block.mx], sizeof taps[0]);
    std::memcpy(&record.taps_down_0, taps[block.my], sizeof taps[0]);
}

void InterPacker::add(std::span<const InterInput> blocks) {
    for (const InterInput &block : blocks)
        add_any(block, its_plane);
}

InterPacker::Group InterPacker::usual_group(unsigned width_log2, unsigned height_log2, bool across,
                                      bool down, Planes planes) const {
    InterSource endless;
    endless.width[0] = endless.height[0] = 1024;
    InterInput block{};
    block.ref_x = block.ref_y = 512;
    block.step_x = block.step_y = inter_unscaled;
    block.width = uint8_t(1u << width_log2), block.height = uint8_t(1u << height_log2);
    block.mx = across, block.my = down;
    return group_of(block, inter_kind(block, endless, map_.format.bit_depth, pairs_[planes]), planes);
}

void InterPacker::prepare_usual(std::span<const InterPredictor> predictors) {
    shift_x_ = map_.format.shift_x(1), shift_y_ = map_.format.shift_y(1);
    for (size_t i = 0; i < sources_.size(); i++) {
        sources_[i].predictor = &predictors[i];
        const bool usual = pairs_[1] == pairs_[2] && !predictors[i].scaled();
        sources_[i].most_x = usual ? int(sources_[i].width[0]) - least_end_x : INT_MIN;
        sources_[i].most_y = int(sources_[i].height[0]) - least_end_y;
    }
    for (uint32_t size = 0; size <= last_whole_size; size++)
        for (unsigned i = 0; i < 16; i++) {
            const BlockSize log2 = block_sizes[size];
            usual_[size][i] = {
                usual_group(log2.width_log2, log2.height_log2, i & 8, i & 4, its_plane),
                usual_group(log2.width_log2 - shift_x_, log2.height_log2 - shift_y_, i & 2, i & 1,
                            both_chroma)};
        }
}

// False: the block is not one of these.
[[gnu::always_inline]] inline bool InterPacker::add_usual(const InterBlock &block,
                                                       const Source &source) {
    if (block.size > last_whole_size) return false;
    const uint32_t x = block.col * 8u, y = block.row * 8u;
    const int across = block.vector[0].x, down = block.vector[0].y;
    const int from_x = int(x) + (across >> 3), from_y = int(y) + (down >> 3);
    const BlockSize size = block_sizes[block.size];
    if (from_x < least_start || from_y < least_start ||
        from_x + (1 << size.width_log2) > source.most_x ||
        from_y + (1 << size.height_log2) > source.most_y)
        return false;
    const unsigned chroma_across = unsigned(across * (2 >> shift_x_)) & 15,
                   chroma_down = unsigned(down * (2 >> shift_y_)) & 15;
    const unsigned filters = unsigned((across & 7) != 0) << 3 | unsigned((down & 7) != 0) << 2 |
                             unsigned(chroma_across != 0) << 1 | unsigned(chroma_down != 0);
    const Usual &usual = usual_[block.size][filters];
    const auto &taps = packed.words[block.filter];
    const uint32_t first_bucket =
        (uint32_t(block.average) * inter_references + block.reference) * (2 * shapes * planes_count);
    InterRecord *const luma = records_.append(2), *const chroma = luma + 1;
    luma->place = x / 4 | y / 4 << 14;
    luma->source = biased(from_x) | biased(from_y) << 16;
    luma->size = usual.luma.size;
    luma->bucket = first_bucket + usual.luma.bucket;
    std::memcpy(&luma->taps_across_0, taps[unsigned(across * 2) & 15], sizeof taps[0]);
    std::memcpy(&luma->taps_down_0, taps[unsigned(down * 2) & 15], sizeof taps[0]);
    chroma->place = x >> shift_x_ >> 2 | y >> shift_y_ >> 2 << 14 | 1u << 28;
    chroma->source = biased(from_x >> shift_x_) | biased(from_y >> shift_y_) << 16;
    chroma->size = usual.chroma.size;
    chroma->bucket = first_bucket + usual.chroma.bucket;
    std::memcpy(&chroma->taps_across_0, taps[chroma_across], sizeof taps[0]);
    std::memcpy(&chroma->taps_down_0, taps[chroma_down], sizeof taps[0]);
    buckets_[luma->bucket].sum += usual.luma.sum;
    buckets_[chroma->bucket].sum += usual.chroma.sum;
    return true;
}

void InterPacker::add(std::span<const InterBlock> blocks, std::span<const InterPredictor> predictors) {
    prepare_usual(predictors);
    for (const InterBlock &block : blocks) {
        const Source &source = sources_[block.reference];
        if (add_usual(block, source)) continue;
        for (InterInput piece : source.predictor->pieces(block)) {
            const bool both = piece.plane && pairs_[1] == pairs_[2];
            add_any(piece, both ? both_chroma : its_plane);
            if (!piece.plane || both) continue;
            piece.plane = 2;
            add_any(piece, its_plane);
        }
    }
}

// Records in the order of their buckets.
void InterPacker::place(Plan &plan) {
    auto &arena = plan.arena;
    arena.resize((arena.size() + 3) / 4 * 4);
    size_t word = arena.size();
    for (Bucket &bucket : buckets_) {
        bucket.word = uint32_t(word);
        word += (bucket.sum & most_blocks) * (sizeof(InterRecord) / 4);
    }
    arena.grow(word);
    for (const InterRecord &record : records_.span()) {
        Bucket &bucket = buckets_[record.bucket];
        std::memcpy(&arena[bucket.word], &record, sizeof record);
        bucket.word += sizeof record / 4;
    }
}

void InterPacker::add_dispatch(uint32_t key, uint32_t first_group, uint32_t groups, Plan &plan) const {
    if (!groups) return;
    const bool scaled = key % 2, average = key / (2 * inter_references);
    const uint32_t reference = key / 2 % inter_references;
    const InterSource &source = sources_[reference];
    InterPush push{};
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

void InterPacker::finish(Plan &plan) {
    place(plan);
    auto &arena = plan.arena;
    uint32_t key = 0, first = uint32_t(arena.size()), groups = 0;
    uint64_t cost = 0;
    auto cut = [&](uint32_t next_key) {
        add_dispatch(key, first, groups, plan);
        key = next_key, first = uint32_t(arena.size()), groups = 0, cost = 0;
    };
    for (uint32_t number = 0; number < buckets_.size(); number++) {
        const Bucket &bucket = buckets_[number];
        const auto blocks = uint32_t(bucket.sum & most_blocks);
        if (!blocks) continue;
        const uint32_t shape = number / planes_count, planes = 1 + number % planes_count;
        if (shape / shapes != key) cut(shape / shapes);
        const uint side = shape / down_count % side_count, lanes = side + shape % down_count;
        const uint kind = shape / (side_count * down_count) % INTER_KINDS;
        const uint64_t group_cost = (bucket.sum >> cost_shift) / blocks * (INTER_LANES / 16);
        const uint32_t most = INTER_LANES >> lanes, each = sizeof(InterRecord) / 4;
        uint32_t record = bucket.word - blocks * each;
        for (; record < bucket.word; record += most * each) {
            const uint32_t here = std::min(most, (bucket.word - record) / each);
            for (uint32_t plane = 0; plane < planes; plane++) {
                if (groups && cost + group_cost > dispatch_cost) cut(key);
                arena.push_back(record);
                arena.push_back(kind | side << 4 | lanes << 8 | here << 16 | plane << 24);
                cost += group_cost;
                groups++;
            }
        }
    }
    cut(0);
}

} // namespace v3doff::vp9
