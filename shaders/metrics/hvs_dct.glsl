// SPDX-License-Identifier: BSD-2-Clause
// The 8-point integer DCT of libv3doff/metrics/psnr_hvs.cpp, in place.
int half_of(int value) { return (value + int(uint(value) >> 31u)) >> 1; }

int scaled(int value, int factor, int bits) { return (value * factor + (1 << (bits - 1))) >> bits; }

void dct8(inout int v[8]) {
    int d0 = v[0] - v[7], d0_half = half_of(d0), m0 = v[0] - d0_half;
    int m1 = v[1] + v[6], m1_half = half_of(m1), d1 = v[6] - m1_half;
    int d2 = v[2] - v[5], m2 = v[2] - half_of(d2);
    int m3 = v[3] + v[4], m3_half = half_of(m3), d3 = m3_half - v[4];
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
    d2 += scaled(d1, 19195, 15);
    d1 += scaled(d2, 11585, 14);
    d2 -= scaled(d1, 7489, 13);
    d3 = half_of(d1) - d3;
    d1 -= d3;
    d2 = d0_half - d2;
    d0 -= d2;
    d3 += scaled(d0, 3227, 15);
    d0 -= scaled(d3, 6393, 15);
    d3 += scaled(d0, 3227, 15);
    d1 += scaled(d2, 2485, 13);
    d2 -= scaled(d1, 18205, 15);
    d1 += scaled(d2, 2485, 13);
    v = int[8](m0, d0, m2, d2, m1, d1, m3, d3);
}
