// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual/pack.hpp"

#include <algorithm>
#include <cstring>

#include "h264/residual/words.hpp"

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
    return place.x / 4 | place.y / 4 << 12 | place.plane << 24 | place.field << 26 |
           (place.y & 1) << 27;
}

bool is_dc(uint number) {
    return number == RESIDUAL_DC_4 || number == RESIDUAL_DC_8;
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
        uint *words = list.words.append(residual_block_words(number, bit_depth));
        pack_block(number, bit_depth, words, block.coefficients);
    }
    return {number, uint(list.records.size() - 1)};
}

uint ResidualBatch::edge(uint kind) {
    return uint(residual_edge(kind_of(kind)));
}

std::optional<ResidualPlace> ResidualBatch::place(Handle handle) const {
    const uint word = record(handle).place;
    if (word == struck_place) return std::nullopt;
    return ResidualPlace{word >> 24 & 3, (word & 0xfff) * 4,
                         (word >> 12 & 0xfff) * 4 + (word >> 27), word >> 26 & 1};
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
        unpack_block(handle.kind, bit_depth, lists_[handle.kind].words.span().data() + source,
                     coefficients);
    }
    return ResidualInput{*at, kind, coefficients};
}

} // namespace v3doff::h264
