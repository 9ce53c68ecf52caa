// SPDX-License-Identifier: BSD-2-Clause
// The words of a block's coefficients, by the kinds of shaders/records/h264_residual.h. They are
// the decoder's, column after column, those of RESIDUAL_8_4 the first four columns; of a bypass the
// residual, row after row.
#pragma once

#include <cstring>

#include "records/h264_residual.h"

namespace v3doff::h264 {

// Whether no coefficient of an 8x8 block stands outside its 4x4 corner. A block is columns of
// eight values; of the last four columns everything counts, of the others the lower half.
inline bool in_corner(const void *coefficients, int bit_depth) {
    using Quad = uint64_t __attribute__((vector_size(16)));
    const auto load = [&](int i) {
        Quad value;
        std::memcpy(&value, static_cast<const char *>(coefficients) + 16 * i, 16);
        return value;
    };
    if (bit_depth == 8) { // a column is a quad
        const Quad right = load(4) | load(5) | load(6) | load(7);
        const Quad left = load(0) | load(1) | load(2) | load(3);
        return !(right[0] | right[1] | left[1]);
    }
    Quad any = load(1) | load(3) | load(5) | load(7);
    for (int i = 8; i < 16; i++)
        any |= load(i);
    return !(any[0] | any[1]);
}

inline uint residual_block_words(uint kind, int bit_depth) {
    constexpr uint words_8[RESIDUAL_KINDS] = {0, 0, 8, 8, 16, 32};
    return words_8[kind] << (bit_depth > 8);
}

} // namespace v3doff::h264
