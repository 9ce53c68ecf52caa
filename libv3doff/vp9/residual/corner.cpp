// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/residual/corner.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace v3doff::vp9 {

namespace {

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

} // namespace

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

} // namespace v3doff::vp9
