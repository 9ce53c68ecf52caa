// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/residual/batch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "vp9/residual/reference.hpp"

namespace v3doff::vp9 {
namespace {

using Kind = ResidualKindShape;

int first_coefficient(const void *block, int bit_depth) {
    std::int16_t narrow;
    std::int32_t wide;
    std::memcpy(&narrow, block, sizeof narrow);
    if (bit_depth == 8) return narrow;
    std::memcpy(&wide, block, sizeof wide);
    return wide;
}

// The residual grows with the coefficient, so the smallest one that gives it can be searched for.
int dc_coefficient(int residual, int tx, int bit_depth) {
    std::int64_t least = bit_depth == 8 ? INT16_MIN : INT32_MIN;
    std::int64_t most = bit_depth == 8 ? INT16_MAX : INT32_MAX;
    while (least < most) {
        const std::int64_t middle = (least + most) >> 1;
        if (residual_of_dc(int(middle), tx) < residual)
            least = middle + 1;
        else
            most = middle;
    }
    return int(least);
}

// The greatest end of block of a kind.
int last_eob(const Kind &kind) {
    const int edge = transform_edge(kind.tx);
    if (kind.corner == 0) return 1;
    if (kind.corner == edge) return edge * edge;
    return kind.tx == kTx8x8 ? 12 : kind.tx == kTx16x16 ? 38 : kind.corner == 8 ? 34 : 135;
}

// A corner is moved in elements T: values, or pairs of rows where a word of 8-bit depth holds
// those. A vector has 16 bytes of them.
template <typename T>
struct Tile {
    typedef T Vector __attribute__((vector_size(16)));
    static constexpr int kSize = 16 / sizeof(T);
    Vector line[kSize];

    // Interleaving the upper with the lower half of the lines, log2(kSize) times, transposes.
    void transpose() {
#pragma GCC unroll 8
        for (int step = 1; step < kSize; step *= 2) {
            const Tile from = *this;
#pragma GCC unroll 8
            for (int i = 0; i < kSize / 2; i++) {
                const Vector a = from.line[i], b = from.line[i + kSize / 2];
                if constexpr (kSize == 4) {
                    line[i * 2] = __builtin_shufflevector(a, b, 0, 4, 1, 5);
                    line[i * 2 + 1] = __builtin_shufflevector(a, b, 2, 6, 3, 7);
                } else {
                    line[i * 2] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
                    line[i * 2 + 1] = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
                }
            }
        }
    }
};

// From the decoder's block, column after column, to a corner row after row. `kStride` is from
// column to column of the block; with `kEvenOdd` the even columns of a row come first.
template <typename T, int kRows, int kColumns, int kStride, bool kEvenOdd>
void transpose(std::byte *packed, const std::byte *block) {
    constexpr int tile_size = Tile<T>::kSize, half = kColumns / 2;
    constexpr int width = kColumns < tile_size ? kColumns : tile_size;
    auto column_of = [](int i) { return !kEvenOdd ? i : i < half ? i * 2 : (i - half) * 2 + 1; };
    auto from = [=](int r, int i) { return block + (column_of(i) * kStride + r) * int(sizeof(T)); };
    auto to = [=](int r, int i) { return packed + (r * kColumns + i) * int(sizeof(T)); };
    if constexpr (kRows % tile_size == 0 && width == tile_size) {
        for (int i = 0; i < kColumns; i += tile_size)
            for (int r = 0; r < kRows; r += tile_size) {
                Tile<T> tile;
#pragma GCC unroll 8
                for (int k = 0; k < tile_size; k++)
                    std::memcpy(&tile.line[k], from(r, i + k), 16);
                tile.transpose();
#pragma GCC unroll 8
                for (int k = 0; k < tile_size; k++)
                    std::memcpy(to(r + k, i), &tile.line[k], 16);
            }
    } else {
        for (int r = 0; r < kRows; r++)
            for (int i = 0; i < kColumns; i++)
                std::memcpy(to(r, i), from(r, i), sizeof(T));
    }
}

// And back, for which no hurry is needed.
template <typename T>
void transpose_back(const std::byte *packed, std::byte *block, int rows, int columns, int stride,
                    bool even_odd) {
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < columns; i++) {
            const int c = !even_odd ? i : i < columns / 2 ? i * 2 : (i - columns / 2) * 2 + 1;
            std::memcpy(block + (c * stride + r) * int(sizeof(T)),
                        packed + (r * columns + i) * int(sizeof(T)), sizeof(T));
        }
}

// Blocks of kEdge of which a corner of kCorner counts: 4x4 as the decoder has it, larger ones row
// after row; up to 16x16 of 8 bits row pair after row pair, 32x32 of more bits even columns first.
template <int kEdge, int kCorner>
void pack_block(bool high, std::byte *packed, const std::byte *block) {
    if constexpr (kEdge == 4)
        high ? std::memcpy(packed, block, 64) : std::memcpy(packed, block, 32);
    else if (high)
        transpose<std::uint32_t, kCorner, kCorner, kEdge, kEdge == 32>(packed, block);
    else if constexpr (kEdge == 32)
        transpose<std::uint16_t, kCorner, kCorner, kEdge, false>(packed, block);
    else
        transpose<std::uint32_t, kCorner / 2, kCorner, kEdge / 2, false>(packed, block);
}

// The coefficients of a block of edge x edge between the decoder's order, column after column in
// int16_t or, if `high`, int32_t, and the words that the kernels read. `corner` is the edge of the
// part that counts; unpack_corner() leaves the rest of the block alone.
void pack_corner(int edge, int corner, bool high, void *words, const void *coefficients) {
    auto *packed = static_cast<std::byte *>(words);
    auto *block = static_cast<const std::byte *>(coefficients);
    switch (edge * 64 + corner) {
    case 4 * 64 + 4:
        return pack_block<4, 4>(high, packed, block);
    case 8 * 64 + 4:
        return pack_block<8, 4>(high, packed, block);
    case 8 * 64 + 8:
        return pack_block<8, 8>(high, packed, block);
    case 16 * 64 + 8:
        return pack_block<16, 8>(high, packed, block);
    case 16 * 64 + 16:
        return pack_block<16, 16>(high, packed, block);
    case 32 * 64 + 8:
        return pack_block<32, 8>(high, packed, block);
    case 32 * 64 + 16:
        return pack_block<32, 16>(high, packed, block);
    case 32 * 64 + 32:
        return pack_block<32, 32>(high, packed, block);
    }
}

void unpack_corner(int edge, int corner, bool high, const void *words, void *coefficients) {
    auto *packed = static_cast<const std::byte *>(words);
    auto *block = static_cast<std::byte *>(coefficients);
    if (edge == 4)
        std::memcpy(block, packed, high ? 64 : 32);
    else if (high)
        transpose_back<std::uint32_t>(packed, block, corner, corner, edge, edge == 32);
    else if (edge == 32)
        transpose_back<std::uint16_t>(packed, block, corner, corner, edge, false);
    else
        transpose_back<std::uint32_t>(packed, block, corner / 2, corner, edge / 2, false);
}

} // namespace

bool residual_fits(const ResidualInput &block, int bit_depth) {
    if (bit_depth == 8 || residual_is_dc(block.tx, block.type, block.eob)) return true;
    const auto *coefficients = static_cast<const std::int32_t *>(block.coefficients);
    const int edge = transform_edge(block.tx);
    std::int64_t sum = 0;
    for (int i = 0; i < edge * edge; i++)
        sum += std::abs(std::int64_t(coefficients[i]));
    return sum <= largest_sum;
}

ResidualBatch::Handle ResidualBatch::add(const ResidualInput &block, int bit_depth) {
    const uint number = residual_kind(block.tx, block.type, block.eob);
    const Kind &kind = residual_kind_shape(number);
    List &list = lists_[number];
    list.records.make_room(1); // no memory: nothing of the block is kept
    if (kind.corner) list.words.make_room(residual_block_words(number, bit_depth));
    size_++;
    ResidualRecord &record = *list.records.append(1);
    record.place = pack_place(block.x / 4, block.y / 4, block.plane);
    if (kind.corner == 0) {
        const int dc = first_coefficient(block.coefficients, bit_depth);
        record.source = uint(residual_of_dc(dc, kind.tx));
    } else {
        record.source = uint(list.words.size());
        uint *words = list.words.append(residual_block_words(number, bit_depth));
        pack_corner(transform_edge(kind.tx), kind.corner, bit_depth > 8, words, block.coefficients);
    }
    return {number, uint(list.records.size() - 1)};
}

void ResidualBatch::run_cpu(Handle handle, const PictureView &picture) const {
    const Kind &kind = residual_kind_shape(handle.kind);
    const List &list = lists_[handle.kind];
    const ResidualRecord &record = this->record(handle);
    if (record.place == struck_place) return;
    std::byte *dst = residual_place(picture, record.place);
    const std::ptrdiff_t stride_bytes =
        picture.plane[v3doff::unpack(record.place, PLACE_PLANE)].stride;
    const int bit_depth = int(picture.format.bit_depth);
    if (kind.corner == 0) {
        residual_add_dc(dst, stride_bytes, int(record.source), kind.tx, bit_depth);
        return;
    }
    alignas(std::int32_t) std::byte block[32 * 32 * sizeof(std::int32_t)];
    const int edge = transform_edge(kind.tx);
    std::fill_n(block, edge * edge * (bit_depth == 8 ? 2 : 4), std::byte(0));
    unpack_corner(edge, kind.corner, bit_depth > 8, list.words.span().data() + record.source,
                  block);
    residual_add_reference(dst, stride_bytes, block, kind.tx, kind.type, 32 * 32, bit_depth);
}

std::optional<ResidualInput> ResidualBatch::unpack(Handle handle, int bit_depth,
                                                   std::vector<std::int32_t> &coefficients) const {
    const Kind &kind = residual_kind_shape(handle.kind);
    const List &list = lists_[handle.kind];
    const ResidualRecord &record = this->record(handle);
    if (record.place == struck_place) return std::nullopt;
    const int edge = transform_edge(kind.tx);
    coefficients.assign(std::size_t(edge) * std::size_t(edge), 0);
    if (kind.corner == 0) {
        coefficients[0] = dc_coefficient(int(record.source), kind.tx, bit_depth);
    } else if (bit_depth == 8) {
        std::array<std::int16_t, 32 * 32> narrow{};
        unpack_corner(edge, kind.corner, false, list.words.span().data() + record.source,
                      narrow.data());
        std::copy_n(narrow.begin(), coefficients.size(), coefficients.begin());
    } else {
        unpack_corner(edge, kind.corner, true, list.words.span().data() + record.source,
                      coefficients.data());
    }
    return ResidualInput{v3doff::unpack(record.place, PLACE_PLANE),
                         v3doff::unpack(record.place, PLACE_X) * 4,
                         v3doff::unpack(record.place, PLACE_Y) * 4,
                         kind.tx,
                         kind.type,
                         last_eob(kind),
                         nullptr};
}

} // namespace v3doff::vp9
