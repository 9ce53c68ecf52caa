// SPDX-License-Identifier: BSD-2-Clause
#include "h264/idct_pack.hpp"

#include <algorithm>
#include <cstring>

#include "h264/idct_words.hpp"

namespace v3doff::h264 {
namespace {

IdctKind kind_of(uint number) {
    constexpr IdctKind kinds[IDCT_KINDS] = {IdctKind::dc_4x4,     IdctKind::dc_8x8,
                                            IdctKind::bypass_4x4, IdctKind::idct_4x4,
                                            IdctKind::idct_8x8,   IdctKind::idct_8x8};
    return kinds[number];
}

uint number_of(const IdctInput &block, int bit_depth) {
    switch (block.kind) {
    case IdctKind::idct_4x4:
        return IDCT_4;
    case IdctKind::idct_8x8:
        return in_corner(block.coefficients, bit_depth) ? IDCT_8_4 : IDCT_8;
    case IdctKind::dc_4x4:
        return IDCT_DC_4;
    case IdctKind::dc_8x8:
        return IDCT_DC_8;
    default:
        return IDCT_BYPASS_4;
    }
}

uint words_of(const IdctPlace &place) {
    return place.x / 4 | place.y / 4 << 12 | place.plane << 24 | place.field << 26 |
           (place.y & 1) << 27;
}

bool is_dc(uint number) {
    return number == IDCT_DC_4 || number == IDCT_DC_8;
}

} // namespace

void IdctBatch::add_4x4(const IdctPlace &place, const void *coefficients, bool high) {
    List &list = lists_[IDCT_4];
    list.records.make_room(1);
    list.words.make_room(high ? 16 : 8);
    *list.records.append(1) = {words_of(place), uint(list.words.size())};
    pack_4x4(high, list.words.append(high ? 16 : 8), coefficients);
    size_++;
}

IdctBatch::Handle IdctBatch::add(const IdctInput &block, int bit_depth) {
    if (block.kind == IdctKind::idct_4x4) {
        add_4x4(block.place, block.coefficients, bit_depth > 8);
        return {IDCT_4, uint(lists_[IDCT_4].records.size() - 1)};
    }
    const uint number = number_of(block, bit_depth);
    List &list = lists_[number];
    list.records.make_room(1); // no memory: nothing of the block is kept
    if (!is_dc(number)) list.words.make_room(idct_block_words(number, bit_depth));
    size_++;
    IdctRecord &record = *list.records.append(1);
    record.place = words_of(block.place);
    if (is_dc(number)) {
        const void *first = block.coefficients;
        record.source =
            uint(idct_dc_residual(bit_depth == 8 ? *static_cast<const std::int16_t *>(first)
                                                 : *static_cast<const std::int32_t *>(first)));
    } else {
        record.source = uint(list.words.size());
        uint *words = list.words.append(idct_block_words(number, bit_depth));
        pack_idct(number, bit_depth, words, block.coefficients);
    }
    return {number, uint(list.records.size() - 1)};
}

uint IdctBatch::edge(uint kind) {
    return uint(idct_edge(kind_of(kind)));
}

void IdctBatch::strike(Handle handle) {
    List &list = lists_[handle.kind];
    IdctRecord &record = list.records[handle.index];
    if (record.place == idct_struck) return;
    record.place = idct_struck;
    list.struck++;
    size_--;
}

std::optional<IdctPlace> IdctBatch::place(Handle handle) const {
    const uint word = lists_[handle.kind].records.span()[handle.index].place;
    if (word == idct_struck) return std::nullopt;
    return IdctPlace{word >> 24 & 3, (word & 0xfff) * 4, (word >> 12 & 0xfff) * 4 + (word >> 27),
                     word >> 26 & 1};
}

void IdctBatch::run_cpu(Handle handle, void *plane, std::ptrdiff_t stride_bytes,
                        int bit_depth) const {
    const auto at = place(handle);
    if (!at) return;
    auto *dst = static_cast<std::byte *>(plane) + std::ptrdiff_t(at->y) * stride_bytes +
                std::ptrdiff_t(at->x) * (bit_depth == 8 ? 1 : 2);
    stride_bytes *= at->field ? 2 : 1;
    if (is_dc(handle.kind)) {
        const uint residual = lists_[handle.kind].records.span()[handle.index].source;
        idct_add_dc(dst, stride_bytes, int(residual), idct_edge(kind_of(handle.kind)), bit_depth);
        return;
    }
    std::int32_t coefficients[64];
    if (const auto block = unpack(handle, bit_depth, coefficients))
        idct_add_reference(dst, stride_bytes, coefficients, block->kind, bit_depth);
}

std::optional<IdctInput> IdctBatch::unpack(Handle handle, int bit_depth, void *coefficients) const {
    const auto at = place(handle);
    if (!at) return std::nullopt;
    const List &list = lists_[handle.kind];
    const IdctRecord &record = list.records.span()[handle.index];
    const IdctKind kind = kind_of(handle.kind);
    const int edge = idct_edge(kind);
    std::memset(coefficients, 0, std::size_t(edge * edge) * coefficient_bytes(bit_depth));
    if (is_dc(handle.kind)) {
        const std::int32_t dc = std::int32_t(record.source * 64);
        const std::int16_t narrow = std::int16_t(std::clamp(dc, INT16_MIN, INT16_MAX));
        bit_depth == 8 ? std::memcpy(coefficients, &narrow, 2) : std::memcpy(coefficients, &dc, 4);
    } else {
        unpack_idct(handle.kind, bit_depth, list.words.span().data() + record.source, coefficients);
    }
    return IdctInput{*at, kind, coefficients};
}

void IdctBatch::clear() {
    size_ = 0;
    for (List &list : lists_) {
        list.records.clear();
        list.words.clear();
        list.struck = 0;
    }
}

} // namespace v3doff::h264
