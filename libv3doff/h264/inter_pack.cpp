// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter_pack.hpp"

#include <bit>
#include <cstring>

#include "util/error.hpp"

namespace v3doff::h264 {
namespace {

// The number of a width or height among 4, 8, 16 and so on.
uint size_number(uint side) {
    return uint(std::countr_zero(side)) - 2;
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

void InterPacker::begin(const SampleMap &map, std::span<const InterSource> sources,
                        std::span<const InterWeights> weights, const InterShaders &shaders,
                        Plan &plan) {
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

bool pack_weights(const InterWeights &weights, unsigned use, const PictureFormat &format,
                  InterWeightRecord &record) {
    uint32_t words[sizeof record / 4] = {};
    bool all_default = true;
    for (unsigned p = 0; p < format.planes(); p++) {
        const InterCombination c = inter_combination(weights, one_list[use], p, format.bit_depth);
        words[2 * p] = halves(c.first, c.second);
        words[2 * p + 1] = halves(c.offset, c.shift);
        all_default &= is_default(c, use == 2);
    }
    std::memcpy(&record, words, sizeof record);
    return !all_default;
}

void InterPacker::pack_weights(std::span<const InterWeights> weights, Plan &plan) {
    auto &arena = plan.arena;
    arena.align(4);
    weights_.assign(weights.size(), {});
    for (size_t i = 1; i < weights.size(); i++)
        for (unsigned use = 0; use < 3; use++) {
            InterWeightRecord record;
            if (!h264::pack_weights(weights[i], use, map_.format, record)) continue;
            weights_[i].word[use] = uint32_t(arena.size());
            arena.append(&record.factors_0, sizeof record / 4);
        }
}

// Its buckets follow each other from here on.
inline uint32_t InterPacker::first_bucket(uint key) {
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

// What may read outside, does not lie as most rectangles do, or moves chroma.
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
        const int down = planes == chroma ? sources_[size_t(block.reference[list])].chroma_down : 0;
        const uint kind =
            inter_kind(plane, plane.place(block, list, down), block, mode, map_.format.bit_depth);
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
    const uint32_t first =
        first_bucket(uint(mode) * max_inter_sources + uint(block.reference[list]));
    const uint width = size_number(block.width), height = size_number(block.height);
    const uint at_x = uint(4 * (block.x - 2) + across), at_y = uint(4 * (block.y - 2) + down);
    const bool aligned = !(block.x % 8) || !width;
    const bool moves_chroma = sources_[size_t(block.reference[list])].chroma_down;
    if (!aligned || moves_chroma || at_x >= end_x_[width] || at_y >= end_y_[height])
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

} // namespace v3doff::h264
