// SPDX-License-Identifier: BSD-2-Clause
// Transform and scaling of DC coefficients that were coded apart. They produce coefficients of
// blocks, not samples: 16 or 8 values of a macroblock, so the CPU does them when the macroblock is
// recorded (docs/journal/h264-kernels.md).
#pragma once

namespace v3doff::h264 {

// ITU-T H.264 8.5.10 for Intra_16x16. input: 16 values, [4 * column + row], left as they are; the
// DC of block n (6.4.3) goes to output[16 * n]. Everything modulo 2^32, and then cut to the type of
// a coefficient.
void luma_dc_dequant(void *output, const void *input, int qmul, int bit_depth);

// 8.5.11, in place on block[16 * n] of the 4 blocks of 4:2:0 or the 8 of 4:2:2.
void chroma_dc_dequant(void *block, int qmul, int bit_depth, bool tall);

} // namespace v3doff::h264
