// SPDX-License-Identifier: BSD-2-Clause
// The H.264 residual transforms of one block in plain loops. They define the result of the GPU's
// kernels, and replace them where they cannot run.
//
// Coefficients are int16_t for 8 bits and int32_t above. Those of a transform are in FFmpeg's
// order, [column * edge + row]; residuals that bypass it are [row * edge + column].
#pragma once

#include <cstddef>

namespace v3doff::h264 {

// Numbered as in v3doff/h264.h.
enum class ResidualKind : unsigned {
    residual_4x4,
    residual_8x8,
    dc_4x4,
    dc_8x8,
    bypass_4x4,
    bypass_8x8,
};
inline constexpr unsigned kResidualKinds = 6;

constexpr int residual_edge(ResidualKind kind) {
    return unsigned(kind) & 1 ? 8 : 4;
}

// How many coefficients a block of the kind has, and leaves cleared.
constexpr std::size_t residual_used(ResidualKind kind) {
    const bool dc = kind == ResidualKind::dc_4x4 || kind == ResidualKind::dc_8x8;
    return dc ? 1 : std::size_t(residual_edge(kind)) * std::size_t(residual_edge(kind));
}

constexpr std::size_t coefficient_bytes(int bit_depth) {
    return bit_depth > 8 ? 4 : 2;
}

// Adds the residual of a block to the samples at `dst`; the coefficients are left as they are.
// idct: ITU-T H.264 8.5.12.2 and 8.5.13, then 8.5.14. dc: only the first coefficient is read.
// bypass: 8.5.15, the residual itself; sums are not clipped, but taken modulo the size of a sample
// in memory.
//
// On a conformant stream the result is the standard's, and FFmpeg's. For other coefficients it is
// still defined: sums are taken modulo 2^32, and with 8 bits the row pass of an 8x8 block, and the
// first coefficient after 32 was added to it, are cut to 16 bits. FFmpeg's C functions differ only
// in that they cut the row pass of 4x4 blocks of 8 bits too.
void residual_add_reference(void *dst, std::ptrdiff_t stride_bytes, const void *coefficients,
                            ResidualKind kind, int bit_depth);

// What the dc kinds add to every sample.
int residual_of_dc(int coefficient);
void residual_add_dc(void *dst, std::ptrdiff_t stride_bytes, int residual, int edge, int bit_depth);

// Transform and scaling of DC coefficients that were coded apart. They produce coefficients of
// blocks, not samples: 16 or 8 values of a macroblock, so the CPU does them when the macroblock is
// recorded (docs/journal/h264-kernels.md). Everything is modulo 2^32, and then cut to the type of a
// coefficient.
// ITU-T H.264 8.5.10 for Intra_16x16. input: 16 values, [4 * column + row], left as they are; the
// DC of block n (6.4.3) goes to output[16 * n].
void luma_dc_dequant(void *output, const void *input, int qmul, int bit_depth);

// 8.5.11, in place on block[16 * n] of the 4 blocks of 4:2:0 or the 8 of 4:2:2.
void chroma_dc_dequant(void *block, int qmul, int bit_depth, bool tall);

} // namespace v3doff::h264
