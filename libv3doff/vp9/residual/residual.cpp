// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/residual/residual.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/group_dispatches.hpp"
#include "common/push.hpp"
#include "vp9/residual/reference.hpp"
#include "vp9/residual/words.hpp"

namespace v3doff::vp9 {
namespace {

constexpr uint record_words = sizeof(ResidualWordsRecord) / sizeof(uint);

// The coefficients of the corner in the decoder's order. Of two in one place every set bit counts,
// as in the kernels.
template <typename Value>
void spread_corner(const ResidualWords &words, uint corner, int bit_depth, std::byte *dense) {
    const uint edge = uint(transform_edge(words.block.tx));
    for (const uint32_t word : words.coefficients) {
        const uint place = unpack(word, COEFFICIENT_PLACE);
        if (std::max(place % edge, place / edge) >= corner) continue;
        Value value;
        std::memcpy(&value, dense + place * sizeof value, sizeof value);
        value = Value(value | Value(words.value(word, bit_depth == 8)));
        std::memcpy(dense + place * sizeof value, &value, sizeof value);
    }
}

} // namespace

std::vector<uint32_t> Residual::shaders(const PictureFormat &format) {
    return {residual_shaders(ResidualUse::words, format.bit_depth)[0]};
}

void Residual::add_raw(int tx, uint place, std::span<const int16_t> residuals) {
    const auto first = uint(raw_.size());
    const std::size_t words = residuals.size() / 2;
    std::memcpy(raw_.append(words), residuals.data(), words * sizeof(uint));
    add(RESIDUAL_RAW + uint(tx == kTxLossless ? int(kTx4x4) : tx), {place, first, 0, 0});
}

void Residual::clear() {
    for (auto &list : lists_)
        list.clear();
    raw_.clear();
}

std::size_t Residual::size() const {
    std::size_t sum = 0;
    for (const auto &list : lists_)
        sum += list.size();
    return sum;
}

void Residual::run_cpu(const LaneCoefficients &coefficients, const PictureView &picture) const {
    for (uint kind = 0; kind < RESIDUAL_KINDS; kind++)
        for (uint i = 0; i < lists_[kind].size(); i++)
            run_cpu({kind, i}, coefficients, picture);
}

void Residual::run_cpu(Handle handle, const LaneCoefficients &coefficients,
                       const PictureView &picture) const {
    const ResidualKindShape &kind = residual_kind_shape(handle.kind);
    const ResidualWordsRecord &record = lists_[handle.kind].span()[handle.index];
    std::byte *dst = residual_place(picture, record.place);
    const std::ptrdiff_t stride_bytes = picture.plane[unpack(record.place, PLACE_PLANE)].stride;
    const int bit_depth = int(picture.format.bit_depth);
    const int edge = transform_edge(kind.tx);
    if (kind.raw)
        return residual_add_raw(dst, stride_bytes,
                                reinterpret_cast<const int16_t *>(&raw_.span()[record.source]),
                                edge, bit_depth);
    if (kind.corner == 0)
        return residual_add_dc(dst, stride_bytes, int(record.source), kind.tx, bit_depth);
    ResidualWords words;
    words.block.tx = kind.tx;
    words.coefficients = coefficients.at(record.source, record.count);
    words.factors = record.factors;
    alignas(int32_t) std::byte dense[32 * 32 * sizeof(int32_t)] = {};
    bit_depth == 8 ? spread_corner<int16_t>(words, uint(kind.corner), bit_depth, dense)
                   : spread_corner<int32_t>(words, uint(kind.corner), bit_depth, dense);
    residual_add_reference(dst, stride_bytes, dense, kind.tx, kind.type, 32 * 32, bit_depth);
}

// Large blocks first, as in ResidualCalls::plan().
void Residual::plan_shader(uint shader, const Dispatch &like, uint raw, unsigned parts,
                           int bit_depth, Plan &plan) const {
    ArenaWords &arena = plan.arena;
    uint first[RESIDUAL_KINDS];
    const uint begin = residual_shader_kinds[shader], end = residual_shader_kinds[shader + 1];
    arena.align(4);
    for (uint kind = begin; kind < end; kind++) {
        const auto records = this->records(kind);
        first[kind] = uint(arena.size());
        arena.append(reinterpret_cast<const uint32_t *>(records.data()),
                     records.size() * record_words);
        for (uint i = 0; residual_kind_shape(kind).raw && i < records.size(); i++)
            arena[first[kind] + i * record_words + 1] += raw;
    }
    GroupDispatches dispatches(plan, like);
    for (uint kind = end; kind-- > begin;) {
        const ResidualKindShape &shape = residual_kind_shape(kind);
        const uint lanes = residual_lanes_log2(kind, bit_depth), most = RESIDUAL_LANES >> lanes;
        const uint n_log2 = uint(std::bit_width(uint(transform_edge(shape.tx)))) - 1;
        const uint corner_log2 = shape.corner ? uint(std::bit_width(uint(shape.corner))) - 1 : 0;
        const uint what = pack(kind, RESIDUAL_GROUP_KIND) | pack(lanes, RESIDUAL_GROUP_LANES_LOG2) |
                          pack(n_log2, RESIDUAL_WORDS_EDGE_LOG2) |
                          pack(corner_log2, RESIDUAL_WORDS_CORNER_LOG2);
        const uint count = uint(records(kind).size());
        for (uint at = 0; at < count; at += most)
            for (uint part = 0; part < parts; part++)
                dispatches.add(first[kind] + at * record_words,
                               what | pack(std::min(most, count - at), RESIDUAL_WORDS_COUNT) |
                                   pack(part, RESIDUAL_WORDS_PART),
                               residual_group_cost(kind));
    }
}

void Residual::plan(const SampleMap &map, const LaneCoefficients &coefficients, Plan &plan) const {
    ResidualPush push{};
    set_planes(push, map);
    push.coefficients = coefficients.word();
    this->plan(ResidualUse::words, Dispatch(0, {}, push, vk::in_place), 1,
               int(map.format.bit_depth), plan);
}

void Residual::plan(ResidualUse use, Dispatch like, unsigned parts, int bit_depth,
                    Plan &plan) const {
    plan.arena.align(2);
    const auto raw = uint(plan.arena.size());
    plan.arena.append(raw_.span().data(), raw_.size());
    for (uint shader = 0; shader < 2; shader++) {
        like.shader = residual_shaders(use, uint32_t(bit_depth))[shader];
        plan_shader(shader, like, raw, parts, bit_depth, plan);
    }
}

} // namespace v3doff::vp9
