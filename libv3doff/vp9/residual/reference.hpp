// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace v3doff::vp9 {

// Transform sizes and types as FFmpeg numbers them: size n is 4 << n, 4 is the lossless
// Walsh-Hadamard transform; a type names the transform of the columns first, so kDctAdst has DCT
// columns and ADST rows.
enum TransformSize { kTx4x4, kTx8x8, kTx16x16, kTx32x32, kTxLossless, kTransformSizes };
enum TransformType { kDctDct, kDctAdst, kAdstDct, kAdstAdst, kTransformTypes };

constexpr int transform_edge(int tx) {
    return 4 << (tx & 3);
}

// Inverse transform of one block, added to the samples at `dst` (VP9 bitstream specification
// 8.7.2). Plain loops: the meaning of the GPU's kernels, and what runs in their place.
//
// `coefficients` holds edge*edge values in FFmpeg's order, [column * edge + row], int16_t for
// 8 bits and int32_t above; they are left as they are. `eob` is the number of coefficients in scan
// order that may differ from zero; of a DCT_DCT block with eob 1 only the first one is read.
//
// On a conformant stream the result is the specification's. For other coefficients it is still
// defined. Above 8 bits nothing overflows in it. With 8 bits it is the GPU's:
//  - sums and products are taken modulo 2^32;
//  - the result of the row pass is cut to 16 bits, as in FFmpeg's C functions;
//  - the result of the column pass is not, before it is rounded and added. Only there can it
//    differ from FFmpeg's C functions, and only where a stream breaks 8.7.1.1, which demands that
//    it fits 16 bits.
void residual_add_reference(void *dst, std::ptrdiff_t stride_bytes, const void *coefficients,
                            int tx, int type, int eob, int bit_depth);

// Whether only the first coefficient of a block counts, and what it then adds to every sample.
bool residual_is_dc(int tx, int type, int eob);
int residual_of_dc(int coefficient, int tx);
void residual_add_raw(void *dst, std::ptrdiff_t stride_bytes, const std::int16_t *residuals,
                      int edge, int bit_depth);
void residual_add_dc(void *dst, std::ptrdiff_t stride_bytes, int residual, int tx, int bit_depth);

} // namespace v3doff::vp9
