// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/mc_pack.hpp"

#include <algorithm>
#include <climits>
#include <cstring>

#include "vk/caps_costs.hpp"

namespace v3doff::vp9 {
namespace {

// log2 of the invocations of a block side by side, and below each other.
constexpr uint side_count = 6, down_count = 4;
constexpr uint shapes = MC_KINDS * side_count * down_count;
// A dispatch has one of each: average, reference, scaled. All that only write come first.
constexpr uint keys = 2 * max_references * 2;

static_assert(keys * shapes * 2 <= 0x10000); // of a record's word

static_assert(mc_furthest < int32_t(MC_BIAS));

uint key_of(const McInput &block) {
    return (uint(block.average) * max_references + block.reference) * 2 + block.scaled();
}

// A dispatch takes at most about a millisecond.
constexpr uint64_t dispatch_cost = vk::instructions_per_ms;

// What reads nothing outside for certain, of luma: from where a block is predicted at least, and how
// far it ends from the reference's end. Half of it is still more than chroma's kernels need.
constexpr int least_start = 6, least_end_x = 24, least_end_y = 8;

uint32_t packed_taps(const int16_t *taps) {
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++)
        word |= uint32_t(taps[i] + int(MC_TAP_BIAS)) << 8 * i;
    return word;
}

uint32_t biased(int32_t at) {
    return uint32_t(at + int32_t(MC_BIAS));
}

uint32_t shape_word(uint32_t shape, uint32_t across, uint32_t down, uint32_t filter) {
    return shape | across << 16 | down << 20 | filter << 24;
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

} // namespace

void McPacker::begin(const SampleMap &map, std::span<const McSource> sources,
                     const Shaders &shaders, Plan &plan) {
    map_ = map;
    for (unsigned p = 0; p < max_planes; p++)
        pairs_[p] = p < map.format.planes() && may_write_pairs(map, p);
    sources_.clear();
    for (const McSource &source : sources)
        sources_.push_back({source});
    shaders_ = shaders;
    auto &arena = plan.arena;
    arena.resize((arena.size() + 3) / 4 * 4);
    taps_at_ = uint32_t(arena.size());
    arena.append(&packed.words[0][0][0], sizeof packed.words / sizeof(uint32_t));
    buckets_.assign(keys * shapes * planes_count, {});
    records_.clear();
}

McPacker::Group McPacker::group_of(const McInput &block, uint kind, Planes planes) const {
    const McShape shape = mc_shape(block, kind, map_.format.bit_depth);
    const uint32_t down_log2 = shape.lanes_log2 - shape.side_log2;
    const uint32_t number = (kind * side_count + shape.side_log2) * down_count + down_log2;
    return {number * planes_count + planes, block.height | shape.rows << 8,
            uint64_t(mc_cost(block, kind, shape.rows)) << cost_shift | 1};
}

void McPacker::add_any(McInput block, Planes planes) {
    const Source &source = sources_[block.reference];
    const uint32_t depth = map_.format.bit_depth;
    block.ref_x = mc_near(block.ref_x, source.width[block.plane]);
    block.ref_y = mc_near(block.ref_y, source.height[block.plane]);
    const bool pairs = pairs_[block.plane] && block.x % (2 * mc_samples_in_word(depth)) == 0;
    const uint kind = mc_kind(block, source, depth, pairs);
    const Group group = group_of(block, kind, planes);
    McRecord &record = *records_.append(1);
    record.place = block.x / 4 | block.y / 4 << 14 | block.plane << 28;
    record.source = biased(block.ref_x) | biased(block.ref_y) << 16;
    record.shape = shape_word(group.shape, block.mx, block.my, block.filter);
    const uint32_t bucket = key_of(block) * (shapes * planes_count) + group.bucket;
    record.bucket = bucket | uint32_t(block.step_x) << 16 | uint32_t(block.step_y) << 24;
    buckets_[bucket].sum += group.sum;
}

void McPacker::add(std::span<const McInput> blocks) {
    for (const McInput &block : blocks)
        add_any(block, its_plane);
}

McPacker::Group McPacker::usual_group(unsigned width_log2, unsigned height_log2, bool across,
                                      bool down, Planes planes) const {
    McSource endless;
    endless.width[0] = endless.height[0] = 1024;
    McInput block{};
    block.ref_x = block.ref_y = 512;
    block.step_x = block.step_y = mc_unscaled;
    block.width = uint8_t(1u << width_log2), block.height = uint8_t(1u << height_log2);
    block.mx = across, block.my = down;
    return group_of(block, mc_kind(block, endless, map_.format.bit_depth, pairs_[planes]), planes);
}

void McPacker::prepare_usual(std::span<const InterPredictor> predictors) {
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
[[gnu::always_inline]] inline bool McPacker::add_usual(const uint32_t *words, unsigned which) {
    const uint32_t size = words[0] >> 26 & 15, filter = words[2] >> 4 & 3;
    const uint32_t reference = words[2] >> 2 * which & 3, vector = words[3 + which];
    if (size > last_whole_size) return false;
    const uint32_t x = (words[0] >> 13 & 0x1fff) * 8, y = (words[0] & 0x1fff) * 8;
    const int across = int16_t(vector), down = int16_t(vector >> 16);
    const int from_x = int(x) + (across >> 3), from_y = int(y) + (down >> 3);
    const Source &source = sources_[reference];
    if (from_x < least_start || from_y < least_start ||
        from_x + (1 << block_sizes[size].width_log2) > source.most_x ||
        from_y + (1 << block_sizes[size].height_log2) > source.most_y)
        return false;
    const unsigned chroma_across = unsigned(across * (2 >> shift_x_)) & 15,
                   chroma_down = unsigned(down * (2 >> shift_y_)) & 15;
    const unsigned filters = unsigned((across & 7) != 0) << 3 | unsigned((down & 7) != 0) << 2 |
                             unsigned(chroma_across != 0) << 1 | unsigned(chroma_down != 0);
    const Usual &usual = usual_[size][filters];
    const uint32_t first_bucket = (which * max_references + reference) * (2 * shapes * planes_count);
    const uint32_t luma = first_bucket + usual.luma.bucket, chroma = first_bucket + usual.chroma.bucket;
    McRecord *const record = records_.append(2);
    record[0] = {x / 4 | y / 4 << 14, biased(from_x) | biased(from_y) << 16,
                 shape_word(usual.luma.shape, unsigned(across * 2) & 15, unsigned(down * 2) & 15, filter),
                 luma};
    record[1] = {x >> shift_x_ >> 2 | y >> shift_y_ >> 2 << 14 | 1u << 28,
                 biased(from_x >> shift_x_) | biased(from_y >> shift_y_) << 16,
                 shape_word(usual.chroma.shape, chroma_across, chroma_down, filter), chroma};
    buckets_[luma].sum += usual.luma.sum;
    buckets_[chroma].sum += usual.chroma.sum;
    return true;
}

void McPacker::add_unusual(const InterBlock &block) {
    for (McInput piece : sources_[block.reference].predictor->pieces(block)) {
        const bool both = piece.plane && pairs_[1] == pairs_[2];
        add_any(piece, both ? both_chroma : its_plane);
        if (!piece.plane || both) continue;
        piece.plane = 2;
        add_any(piece, its_plane);
    }
}

void McPacker::add(std::span<const uint32_t *const> blocks,
                   std::span<const InterPredictor> predictors) {
    prepare_usual(predictors);
    for (const uint32_t *words : blocks)
        for (unsigned which = 0; which <= *words >> 31; which++)
            if (!add_usual(words, which)) add_unusual(inter_block(words, which));
}

// Records in the order of their buckets.
void McPacker::place(Plan &plan) {
    auto &arena = plan.arena;
    arena.resize((arena.size() + 3) / 4 * 4);
    size_t word = arena.size();
    for (Bucket &bucket : buckets_) {
        bucket.word = uint32_t(word);
        word += (bucket.sum & most_blocks) * (sizeof(McRecord) / 4);
    }
    arena.grow(word);
    for (const McRecord &record : records_.span()) {
        Bucket &bucket = buckets_[record.bucket & 0xffff];
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
    push.taps = taps_at_;
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
        const uint kind = shape / (side_count * down_count) % MC_KINDS;
        const uint64_t group_cost = (bucket.sum >> cost_shift) / blocks * (MC_LANES / 16);
        const uint32_t most = MC_LANES >> lanes, each = sizeof(McRecord) / 4;
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
