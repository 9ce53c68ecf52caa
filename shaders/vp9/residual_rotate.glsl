// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_ROTATE_GLSL
#define VP9_RESIDUAL_ROTATE_GLSL

// Butterflies of the inverse transforms, VP9 bitstream specification 8.7.1.1: sums of products with
// 14-bit constants, and Round2(sum, 14). Multiplication and addition modulo 2^32 are exact as long
// as a rounded value fits 18 bits. With 8 bits it always does, since coefficients and rows come as
// 16-bit values; above, the CPU sends only blocks of which it is sure (residual_fits in residual_pack.hpp).
//
// V3D spends two slots on a 32-bit multiplication and one on an addition, so a rotation has three
// multiplications instead of four; which is exact too, modulo 2^32.

const int RESIDUAL_ROUND = 8192;

// x = a*c - b*s + round, y = a*s + b*c + round.
void residual_spread(int a, int b, int c, int s, int round, out int x, out int y) {
    int t = (a + b) * c + round;
    x = t - b * (c + s);
    y = t + a * (s - c);
}

// x = Round2(a*c - b*s, 14), y = Round2(a*s + b*c, 14).
void residual_rotate(int a, int b, int c, int s, out int x, out int y) {
    int p, q;
    residual_spread(a, b, c, s, RESIDUAL_ROUND, p, q);
    x = p >> 14;
    y = q >> 14;
}

// x = Round2(a*c - b*s, 14), y = Round2(-a*s - b*c, 14).
void residual_rotate_back(int a, int b, int c, int s, out int x, out int y) {
    int t = RESIDUAL_ROUND - (a + b) * s;
    x = (t + a * (c + s)) >> 14;
    y = (t + b * (s - c)) >> 14;
}

// x = Round2((a + b) * cos(pi/4), 14) + bias, y = Round2((a - b) * cos(pi/4), 14) + bias: there is
// room for the bias in the sum, where it costs nothing.
void residual_half(int a, int b, int bias, out int x, out int y) {
    int p = a * 11585 + (RESIDUAL_ROUND + (bias << 14));
    int q = b * 11585;
    x = (p + q) >> 14;
    y = (p - q) >> 14;
}

#endif
