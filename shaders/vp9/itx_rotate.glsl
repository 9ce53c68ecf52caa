// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_ITX_ROTATE_GLSL
#define VP9_ITX_ROTATE_GLSL

// Butterflies of the inverse transforms, VP9 bitstream specification 8.7.1.1: angles are 14-bit
// constants, Round2(x, 14) follows each. All products are taken modulo 2^32 and the true result of
// 8-bit streams fits 32 bits, so a rotation may be factored into three multiplications: V3D spends
// two slots on each 32-bit multiplication and one on each addition.
const int ITX_ROUND = 8192;

// x = Round2(a*c - b*s, 14), y = Round2(a*s + b*c, 14).
void itx_rotate(int a, int b, int c, int s, out int x, out int y) {
    int t = (a + b) * c + ITX_ROUND;
    x = (t - b * (c + s)) >> 14;
    y = (t + a * (s - c)) >> 14;
}

// x = Round2((a + b) * cos(pi/4), 14) + bias, y = Round2((a - b) * cos(pi/4), 14) + bias.
void itx_half(int a, int b, int bias, out int x, out int y) {
    int p = a * 11585 + (ITX_ROUND + (bias << 14));
    int q = b * 11585;
    x = (p + q) >> 14;
    y = (p - q) >> 14;
}

#endif
