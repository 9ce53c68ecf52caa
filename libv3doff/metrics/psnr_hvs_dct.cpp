// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/psnr_hvs_dct.hpp"

namespace v3doff::metrics {
namespace {

// Half, rounded towards zero.
int32_t half(int32_t value) {
    return (value + int32_t(uint32_t(value) >> 31)) >> 1;
}

// value * factor / 2^bits, rounded.
int32_t scaled(int32_t value, int32_t factor, int bits) {
    return (value * factor + (1 << (bits - 1))) >> bits;
}

} // namespace

void psnr_hvs_dct8(const int32_t *in, int step, int32_t *out) {
    // Differences of mirrored samples, and means.
    int32_t d0 = in[0] - in[7 * step];
    const int32_t d0_half = half(d0);
    int32_t m0 = in[0] - d0_half;
    int32_t m1 = in[step] + in[6 * step];
    const int32_t m1_half = half(m1);
    int32_t d1 = in[6 * step] - m1_half;
    int32_t d2 = in[2 * step] - in[5 * step];
    int32_t m2 = in[2 * step] - half(d2);
    int32_t m3 = in[3 * step] + in[4 * step];
    const int32_t m3_half = half(m3);
    int32_t d3 = m3_half - in[4 * step];

    // Even half: a 2-point DCT (outputs 0 and 4) and a 2-point DST (2 and 6).
    m0 += m3_half;
    m3 = m0 - m3;
    m2 = m1_half - m2;
    m1 = m2 - m1;
    m0 -= scaled(m1, 13573, 15);
    m1 += scaled(m0, 11585, 14);
    m0 -= scaled(m1, 13573, 15);
    m3 -= scaled(m2, 21895, 15);
    m2 += scaled(m3, 15137, 14);
    m3 -= scaled(m2, 21895, 15);

    // Odd half: a 4-point DST.
    d2 += scaled(d1, 19195, 15);
    d1 += scaled(d2, 11585, 14);
    d2 -= scaled(d1, 7489, 13);
    d3 = half(d1) - d3;
    d1 -= d3;
    d2 = d0_half - d2;
    d0 -= d2;
    d3 += scaled(d0, 3227, 15);
    d0 -= scaled(d3, 6393, 15);
    d3 += scaled(d0, 3227, 15);
    d1 += scaled(d2, 2485, 13);
    d2 -= scaled(d1, 18205, 15);
    d1 += scaled(d2, 2485, 13);

    const int32_t ordered[8] = {m0, d0, m2, d2, m1, d1, m3, d3};
    for (int i = 0; i < 8; i++)
        out[i] = ordered[i];
}

} // namespace v3doff::metrics
