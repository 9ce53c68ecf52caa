// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual_words.hpp"

#include <cstring>

namespace v3doff::h264 {
namespace {

// Four words at once: recording must cost little more than the memory it touches.
using Quad = uint __attribute__((vector_size(16)));

Quad load(const void *from, int quad) {
    Quad value;
    std::memcpy(&value, static_cast<const char *>(from) + 16 * quad, 16);
    return value;
}

void store(uint *to, Quad value) {
    std::memcpy(to, &value, 16);
}

// Four quads that are columns become rows.
struct Square {
    Quad row[4];

    Square(Quad a, Quad b, Quad c, Quad d) {
        const Quad ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
        const Quad cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
        const Quad ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
        const Quad cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
        row[0] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
        row[1] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
        row[2] = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
        row[3] = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
    }
};

// An 8x8 block's columns are quads, each of `step`: with 8 bits a quad is a column of row pairs,
// with more the upper or the lower half of one.
Square square(const void *block, int first, int step) {
    return {load(block, first), load(block, first + step), load(block, first + 2 * step),
            load(block, first + 3 * step)};
}

// The rows of the 4x4 corner: two of row pairs, or four.
void pack_corner(uint *words, const void *block, bool high) {
    const Square corner = square(block, 0, high ? 2 : 1);
    for (int row = 0; row < (high ? 4 : 2); row++)
        store(words + 4 * row, corner.row[row]);
}

void pack_rows(uint *words, const void *block, int first, int step) {
    const Square left = square(block, first, step), right = square(block, first + 4 * step, step);
    for (int row = 0; row < 4; row++) {
        store(words + 8 * row, left.row[row]);
        store(words + 8 * row + 4, right.row[row]);
    }
}

void pack_whole(uint *words, const void *block, bool high) {
    pack_rows(words, block, 0, high ? 2 : 1);
    if (high) pack_rows(words + 32, block, 1, 2);
}

bool is_zero(Quad a) {
    return !(a[0] | a[1] | a[2] | a[3]);
}

template <int kRows, int kColumns>
void transpose_back(const uint *words, uint *block) {
    constexpr int rows = kRows * kColumns / 8;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < kColumns; column++)
            block[column * kRows + row] = words[row * kColumns + column];
}

template <typename Coefficient, int kShift>
void pack_residual(uint *words, const void *coefficients) {
    constexpr int in_word = 32 / kShift;
    const auto *residual = static_cast<const Coefficient *>(coefficients);
    for (int i = 0; i < 16 / in_word; i++) {
        words[i] = 0;
        for (int j = 0; j < in_word; j++)
            words[i] |= (uint(residual[i * in_word + j]) & ((1u << kShift) - 1)) << kShift * j;
    }
}

template <typename Coefficient, int kShift>
void unpack_residual(const uint *words, void *coefficients) {
    constexpr int in_word = 32 / kShift;
    auto *residual = static_cast<Coefficient *>(coefficients);
    for (int i = 0; i < 16; i++)
        residual[i] =
            Coefficient(words[i / in_word] >> i % in_word * kShift & ((1u << kShift) - 1));
}

} // namespace

bool in_corner(const void *coefficients, int bit_depth) {
    auto quad = [&](int i) { return load(coefficients, i); };
    if (bit_depth == 8) {
        if (!is_zero(quad(4) | quad(5) | quad(6) | quad(7))) return false;
        const Quad low = quad(0) | quad(1) | quad(2) | quad(3);
        return !(low[2] | low[3]);
    }
    Quad any = quad(1) | quad(3) | quad(5) | quad(7);
    for (int i = 8; i < 16; i++)
        any |= quad(i);
    return is_zero(any);
}

void pack_block(uint kind, int bit_depth, uint *words, const void *coefficients) {
    const bool high = bit_depth > 8;
    if (kind == RESIDUAL_BYPASS_4) {
        high ? pack_residual<std::int32_t, 16>(words, coefficients)
             : pack_residual<std::int16_t, 8>(words, coefficients);
        return;
    }
    switch (kind) {
    case RESIDUAL_4:
        return pack_4x4(high, words, coefficients);
    case RESIDUAL_8_4:
        pack_corner(words, coefficients, high);
        break;
    default:
        pack_whole(words, coefficients, high);
    }
    words[0] = add_to_first(words[0], kRounding, high);
}

void unpack_block(uint kind, int bit_depth, const uint *words, void *coefficients) {
    const bool high = bit_depth > 8;
    if (kind == RESIDUAL_BYPASS_4) {
        high ? unpack_residual<std::int32_t, 16>(words, coefficients)
             : unpack_residual<std::int16_t, 8>(words, coefficients);
        return;
    }
    uint block[64];
    const std::size_t bytes = (kind == RESIDUAL_4 ? 32u : 128u) << high;
    std::memcpy(block, coefficients, bytes);
    if (kind == RESIDUAL_4)
        std::memcpy(block, words, bytes);
    else if (kind == RESIDUAL_8_4)
        high ? transpose_back<8, 4>(words, block) : transpose_back<4, 4>(words, block);
    else
        high ? transpose_back<8, 8>(words, block) : transpose_back<4, 8>(words, block);
    block[0] = add_to_first(block[0], 0u - kRounding, high);
    std::memcpy(coefficients, block, bytes);
}

} // namespace v3doff::h264
