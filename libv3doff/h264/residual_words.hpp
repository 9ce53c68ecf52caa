// SPDX-License-Identifier: BSD-2-Clause
// Converts a block's coefficients between the decoder's order and the words that the kernels read,
// by the kinds of shaders/records/h264_residual.h.
#pragma once

#include <cstring>

#include "records/h264_residual.h"

namespace v3doff::h264 {

// Whether no coefficient of an 8x8 block stands outside its 4x4 corner.
bool in_corner(const void *coefficients, int bit_depth);

inline uint residual_block_words(uint kind, int bit_depth) {
    constexpr uint words_8[RESIDUAL_KINDS] = {0, 0, 4, 8, 8, 32};
    return words_8[kind] << (bit_depth > 8);
}

inline constexpr uint kRounding = 32;

// To the first value of a block, which is the low half of its word with 8 bits.
constexpr uint add_to_first(uint word, uint value, bool high) {
    return high ? word + value : (word & 0xffff0000u) | ((word + value) & 0xffffu);
}

// By far the most frequent kind.
inline void pack_4x4(bool high, uint *words, const void *coefficients) {
    uint first;
    std::memcpy(&first, coefficients, 4);
    high ? std::memcpy(words, coefficients, 64) : std::memcpy(words, coefficients, 32);
    words[0] = add_to_first(first, kRounding, high);
}

// The words of a transform have the 32 that rounds its results added to the first coefficient.
void pack_block(uint kind, int bit_depth, uint *words, const void *coefficients);

// The opposite; coefficients that are not in the words are left alone. Those of a bypass come back
// modulo the size of a sample.
void unpack_block(uint kind, int bit_depth, const uint *words, void *coefficients);

} // namespace v3doff::h264
