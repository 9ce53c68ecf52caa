// SPDX-License-Identifier: BSD-2-Clause
// The coefficients of a block between the decoder's order and the words that the kernels read, by
// the kinds of shaders/records/h264_idct.h.
#pragma once

#include "records/h264_idct.h"

namespace v3doff::h264 {

// Whether no coefficient of an 8x8 block stands outside its 4x4 corner.
bool in_corner(const void *coefficients, int bit_depth);

uint idct_block_words(uint kind, int bit_depth);

// The words of a transform have the 32 that rounds its results added to the first coefficient.
void pack_idct(uint kind, int bit_depth, uint *words, const void *coefficients);

// The opposite; coefficients that are not in the words are left alone. Those of a bypass come back
// modulo the size of a sample.
void unpack_idct(uint kind, int bit_depth, const uint *words, void *coefficients);

} // namespace v3doff::h264
