// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual/pack.hpp"

#include <algorithm>
#include <cstring>

#include "common/push.hpp"
#include "vk/shaders.hpp"

namespace v3doff::h264 {
namespace {

ResidualKind kind_of(uint number) {
    constexpr ResidualKind kinds[RESIDUAL_KINDS] = {
        ResidualKind::dc_4x4,       ResidualKind::dc_8x8,       ResidualKind::bypass_4x4,
        ResidualKind::residual_4x4, ResidualKind::residual_8x8, ResidualKind::residual_8x8};
    return kinds[number];
}

uint number_of(const ResidualInput &block, int bit_depth) {
    switch (block.kind) {
    case ResidualKind::residual_4x4:
        return RESIDUAL_4;
    case ResidualKind::residual_8x8:
        return in_corner(block.coefficients, bit_depth) ? RESIDUAL_8_4 : RESIDUAL_8;
    case ResidualKind::dc_4x4:
        return RESIDUAL_DC_4;
    case ResidualKind::dc_8x8:
        return RESIDUAL_DC_8;
    default:
        return RESIDUAL_BYPASS_4;
    }
}

uint words_of(const ResidualPlace &place) {
    return pack(place.x / 4, RESIDUAL_X) | pack(place.y / 4, RESIDUAL_Y) |
           pack(place.plane, RESIDUAL_PLANE) | pack(place.field, RESIDUAL_FIELD) |
           pack(place.y & 1, RESIDUAL_PARITY);
}

bool is_dc(uint number) {
    return number == RESIDUAL_DC_4 || number == RESIDUAL_DC_8;
}

// A dispatch may take 1.75 ms, which is more than any 1080p picture of 4:2:0 and 8 bits needs.
// Instructions of a workgroup of each kind, rounded up: 8 bits, more bits.
constexpr uint kDispatchCost = vk::instructions_per_ms / 4 * 7;
constexpr uint kGroupCost[2][RESIDUAL_KINDS] = {{1650, 2450, 1200, 2500, 4050, 5750},
                                                {1700, 2600, 1500, 2200, 2550, 3100}};

uint lanes_log2(uint kind, int bit_depth) {
    switch (kind) {
    case RESIDUAL_DC_8:
        return 1;
    case RESIDUAL_8_4:
    case RESIDUAL_8:
        return bit_depth == 8 ? 1 : 2;
    default:
        return 0;
    }
}

// Calls visit(kind, lanes_log2, cost). The last kinds are the largest blocks, and come first, so
// that the small ones fill up the end.
template <typename Visit>
void each_kind(uint32_t bit_depth, Visit visit) {
    for (uint kind = RESIDUAL_KINDS; kind-- > 0;)
        visit(kind, lanes_log2(kind, int(bit_depth)), kGroupCost[bit_depth > 8][kind]);
}

} // namespace

void ResidualBatch::add_4x4(const ResidualPlace &place, const void *coefficients, bool high) {
    List &list = lists_[RESIDUAL_4];
    list.records.make_room(1);
    list.words.make_room(high ? 16 : 8);
    *list.records.append(1) = {words_of(place), uint(list.words.size())};
    std::memcpy(list.words.append(high ? 16 : 8), coefficients, high ? 64 : 32);
    size_++;
}

ResidualBatch::Handle ResidualBatch::add(const ResidualInput &block, int bit_depth) {
    if (block.kind == ResidualKind::residual_4x4) {
        add_4x4(block.place, block.coefficients, bit_depth > 8);
        return {RESIDUAL_4, uint(lists_[RESIDUAL_4].records.size() - 1)};
    }
    const uint number = number_of(block, bit_depth);
    List &list = lists_[number];
    list.records.make_room(1); // no memory: nothing of the block is kept
    if (!is_dc(number)) list.words.make_room(residual_block_words(number, bit_depth));
    size_++;
    ResidualRecord &record = *list.records.append(1);
    record.place = words_of(block.place);
    if (is_dc(number)) {
        const void *first = block.coefficients;
        record.source =
            uint(residual_of_dc(bit_depth == 8 ? *static_cast<const std::int16_t *>(first)
                                               : *static_cast<const std::int32_t *>(first)));
    } else {
        record.source = uint(list.words.size());
        const uint words = residual_block_words(number, bit_depth);
        std::memcpy(list.words.append(words), block.coefficients, 4 * words);
    }
    return {number, uint(list.records.size() - 1)};
}

uint ResidualBatch::edge(uint kind) {
    return uint(residual_edge(kind_of(kind)));
}

std::optional<ResidualPlace> ResidualBatch::place(Handle handle) const {
    const uint word = record(handle).place;
    if (word == struck_place) return std::nullopt;
    const auto of = [word](Bits bits) { return v3doff::unpack(word, bits); };
    return ResidualPlace{of(RESIDUAL_PLANE), of(RESIDUAL_X) * 4,
                         of(RESIDUAL_Y) * 4 + of(RESIDUAL_PARITY), of(RESIDUAL_FIELD)};
}

void ResidualBatch::run_cpu(Handle handle, void *plane, std::ptrdiff_t stride_bytes,
                            int bit_depth) const {
    const auto at = place(handle);
    if (!at) return;
    auto *dst = static_cast<std::byte *>(plane) + std::ptrdiff_t(at->y) * stride_bytes +
                std::ptrdiff_t(at->x) * (bit_depth == 8 ? 1 : 2);
    stride_bytes *= at->field ? 2 : 1;
    if (is_dc(handle.kind)) {
        residual_add_dc(dst, stride_bytes, int(record(handle).source),
                        residual_edge(kind_of(handle.kind)), bit_depth);
        return;
    }
    std::int32_t coefficients[64];
    if (const auto block = unpack(handle, bit_depth, coefficients))
        residual_add_reference(dst, stride_bytes, coefficients, block->kind, bit_depth);
}

std::optional<ResidualInput> ResidualBatch::unpack(Handle handle, int bit_depth,
                                                   void *coefficients) const {
    const auto at = place(handle);
    if (!at) return std::nullopt;
    const uint source = record(handle).source;
    const ResidualKind kind = kind_of(handle.kind);
    const int edge = residual_edge(kind);
    std::memset(coefficients, 0, std::size_t(edge * edge) * coefficient_bytes(bit_depth));
    if (is_dc(handle.kind)) {
        const std::int32_t dc = std::int32_t(source * 64);
        const std::int16_t narrow = std::int16_t(std::clamp(dc, INT16_MIN, INT16_MAX));
        bit_depth == 8 ? std::memcpy(coefficients, &narrow, 2) : std::memcpy(coefficients, &dc, 4);
    } else {
        std::memcpy(coefficients, &lists_[handle.kind].words.span()[source],
                    4 * residual_block_words(handle.kind, bit_depth));
    }
    return ResidualInput{*at, kind, coefficients};
}

// Above 8 bits one serves all depths.
uint32_t residual_shader(uint32_t bit_depth) {
    static const uint32_t shaders[2] = {vk::shader_index("h264_residual_8"),
                                        vk::shader_index("h264_residual_high")};
    return shaders[bit_depth > 8];
}

Dispatch residual_dispatch(const SampleMap &map) {
    ResidualPush push{};
    set_planes(push, map);
    return {residual_shader(map.format.bit_depth), {}, push, vk::in_place};
}

void plan_residuals(std::span<const ResidualBatch *const> batches, const SampleMap &map,
                    Plan &plan) {
    ResidualPacker<RESIDUAL_KINDS> packer;
    for (const ResidualBatch *batch : batches)
        packer.count(*batch);
    packer.make_room(plan.arena);
    for (const ResidualBatch *batch : batches)
        packer.put(*batch, plan.arena);
    GroupDispatches dispatches(plan, residual_dispatch(map), kDispatchCost);
    each_kind(map.format.bit_depth, [&](uint kind, uint lanes, uint cost) {
        packer.add_groups(kind, lanes, cost, dispatches);
    });
}

void plan_residuals(const MacroblockBatch &macroblocks, const PictureFormat &format,
                    const Dispatch &like, Plan &plan) {
    GroupDispatches dispatches(plan, like, kDispatchCost);
    each_kind(format.bit_depth, [&](uint kind, uint lanes, uint cost) {
        add_residual_groups(macroblocks.first_record(kind), macroblocks.record_count(kind), kind,
                            lanes, cost, dispatches);
    });
}

} // namespace v3doff::h264
