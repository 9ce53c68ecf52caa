// SPDX-License-Identifier: BSD-2-Clause
#include "h264/idct_words.hpp"

#include <cstring>

namespace v3doff::h264 {
namespace {

// Two rows of 16 bits in a word, or one of 32: the block as words, [column * rows + row].
template <int kRows>
uint outside_corner(const uint *words) {
    uint any = 0;
    for (int column = 0; column < 4; column++)
        for (int row = kRows / 2; row < kRows; row++)
            any |= words[column * kRows + row];
    for (int i = 4 * kRows; i < 8 * kRows; i++)
        any |= words[i];
    return any;
}

// The corner of such a block, row after row, and back.
template <int kRows, int kColumns>
void transpose(uint *words, const uint *block) {
    constexpr int rows = kRows * kColumns / 8;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < kColumns; column++)
            words[row * kColumns + column] = block[column * kRows + row];
}

template <int kRows, int kColumns>
void transpose_back(const uint *words, uint *block) {
    constexpr int rows = kRows * kColumns / 8;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < kColumns; column++)
            block[column * kRows + row] = words[row * kColumns + column];
}

constexpr uint kRounding = 32;

// To the first value of a block, which is the low half of its word with 8 bits.
void add_to_first(uint &word, uint value, int bit_depth) {
    word = bit_depth == 8 ? (word & 0xffff0000u) | ((word + value) & 0xffffu) : word + value;
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
    uint block[64];
    if (bit_depth == 8) {
        std::memcpy(block, coefficients, 128);
        return !outside_corner<4>(block);
    }
    std::memcpy(block, coefficients, 256);
    return !outside_corner<8>(block);
}

uint idct_block_words(uint kind, int bit_depth) {
    static constexpr uint words_8[IDCT_KINDS] = {0, 0, 4, 8, 8, 32};
    return words_8[kind] << (bit_depth > 8);
}

void pack_idct(uint kind, int bit_depth, uint *words, const void *coefficients) {
    const bool high = bit_depth > 8;
    if (kind == IDCT_BYPASS_4) {
        high ? pack_residual<std::int32_t, 16>(words, coefficients)
             : pack_residual<std::int16_t, 8>(words, coefficients);
        return;
    }
    uint block[64];
    std::memcpy(block, coefficients, (kind == IDCT_4 ? 32u : 128u) << high);
    if (kind == IDCT_4)
        std::memcpy(words, block, 32u << high);
    else if (kind == IDCT_8_4)
        high ? transpose<8, 4>(words, block) : transpose<4, 4>(words, block);
    else
        high ? transpose<8, 8>(words, block) : transpose<4, 8>(words, block);
    add_to_first(words[0], kRounding, bit_depth);
}

void unpack_idct(uint kind, int bit_depth, const uint *words, void *coefficients) {
    const bool high = bit_depth > 8;
    if (kind == IDCT_BYPASS_4) {
        high ? unpack_residual<std::int32_t, 16>(words, coefficients)
             : unpack_residual<std::int16_t, 8>(words, coefficients);
        return;
    }
    uint block[64];
    const std::size_t bytes = (kind == IDCT_4 ? 32u : 128u) << high;
    std::memcpy(block, coefficients, bytes);
    if (kind == IDCT_4)
        std::memcpy(block, words, bytes);
    else if (kind == IDCT_8_4)
        high ? transpose_back<8, 4>(words, block) : transpose_back<4, 4>(words, block);
    else
        high ? transpose_back<8, 8>(words, block) : transpose_back<4, 8>(words, block);
    add_to_first(block[0], -kRounding, bit_depth);
    std::memcpy(coefficients, block, bytes);
}

} // namespace v3doff::h264
