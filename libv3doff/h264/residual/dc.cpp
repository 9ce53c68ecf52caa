// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual/dc.hpp"

#include <cstdint>

#include "h264/residual/groups.hpp"

namespace v3doff::h264 {
namespace {

using Sum = std::uint32_t; // modulo 2^32

std::int32_t scaled(Sum value, int qmul, int shift) {
    const Sum half = shift == 8 ? 128 : 0; // 4:2:0 is not rounded
    return std::int32_t(value * Sum(qmul) + half) >> shift;
}

// One row or column of the 4x4 transform of 8.5.10 and of the columns of 8.5.11's 2x4.
void hadamard4(Sum *v, int step) {
    const Sum e = v[0] + v[step], f = v[0] - v[step];
    const Sum g = v[2 * step] - v[3 * step], h = v[2 * step] + v[3 * step];
    v[0] = e + h;
    v[step] = e - h;
    v[2 * step] = f - g;
    v[3 * step] = f + g;
}

template <typename Coefficient>
void luma(Coefficient *output, const Coefficient *input, int qmul) {
    Sum v[16];
    for (int i = 0; i < 16; i++)
        v[i] = Sum(input[i]);
    for (int i = 0; i < 4; i++)
        hadamard4(v + 4 * i, 1);
    for (int i = 0; i < 4; i++)
        hadamard4(v + i, 4);
    for (int n = 0; n < 16; n++) {
        const int column = (n & 1) + (n >> 2 & 1) * 2, row = (n >> 1 & 1) + (n >> 3 & 1) * 2;
        output[16 * n] = Coefficient(scaled(v[4 * column + row], qmul, 8));
    }
}

template <typename Coefficient>
void chroma(Coefficient *block, int qmul, int rows) {
    Sum v[8];
    for (int row = 0; row < rows; row++) {
        const Sum a = Sum(block[32 * row]), b = Sum(block[32 * row + 16]);
        v[row] = a + b;
        v[row + 4] = a - b;
    }
    for (Sum *column : {v, v + 4}) {
        if (rows == 4) {
            hadamard4(column, 1);
        } else {
            const Sum a = column[0], b = column[1];
            column[0] = a + b;
            column[1] = a - b;
        }
    }
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < 2; column++)
            block[32 * row + 16 * column] =
                Coefficient(scaled(v[4 * column + row], qmul, rows == 4 ? 8 : 7));
}

} // namespace

void luma_dc_dequant(void *output, const void *input, int qmul, int bit_depth) {
    if (bit_depth == 8)
        luma(static_cast<std::int16_t *>(output), static_cast<const std::int16_t *>(input), qmul);
    else
        luma(static_cast<std::int32_t *>(output), static_cast<const std::int32_t *>(input), qmul);
}

void chroma_dc_dequant(void *block, int qmul, int bit_depth, bool tall) {
    if (bit_depth == 8)
        chroma(static_cast<std::int16_t *>(block), qmul, tall ? 4 : 2);
    else
        chroma(static_cast<std::int32_t *>(block), qmul, tall ? 4 : 2);
}

} // namespace v3doff::h264
