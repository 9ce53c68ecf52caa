// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_ADST16_GLSL
#define VP9_RESIDUAL_ADST16_GLSL

#include "vp9/residual_adst.glsl"

// Inverse ADST of 16 points, VP9 bitstream specification 8.7.1.8.

// Values 4..7 of a group of eight: their rotations by pi/8, rounded in pairs.
void residual_adst16_turn(inout int a, inout int b, inout int c, inout int d) {
    int p, q, r, s;
    residual_spread(a, b, 6270, 15137, RESIDUAL_ROUND, q, p);
    residual_spread(d, c, 15137, 6270, 0, r, s);
    residual_gather(p, r, a, c);
    residual_gather(q, s, b, d);
}

// The second stage of values 8..15.
void residual_adst16_upper(inout int t[16]) {
    int s8, s9, s10, s11, s12, s13, s14, s15;
    residual_spread(t[8], t[9], 3196, 16069, RESIDUAL_ROUND, s9, s8);
    residual_spread(t[10], t[11], 13623, 9102, RESIDUAL_ROUND, s11, s10);
    residual_spread(t[13], t[12], 16069, 3196, 0, s12, s13);
    residual_spread(t[15], t[14], 9102, 13623, 0, s14, s15);
    residual_gather(s8, s12, t[8], t[12]);
    residual_gather(s9, s13, t[9], t[13]);
    residual_gather(s10, s14, t[10], t[14]);
    residual_gather(s11, s15, t[11], t[15]);
}

void residual_adst16(inout int v[16], int bias) {
    const int c[8] = {804, 3981, 7005, 9760, 12140, 14053, 15426, 16207};
    const int s[8] = {16364, 15893, 14811, 13160, 11003, 8423, 5520, 2404};
    int t[16];
    [[unroll]] for (int i = 0; i < 4; i++) {
        int p, q, r, u;
        residual_spread(v[15 - 2 * i], v[2 * i], c[i], s[i], RESIDUAL_ROUND, q, p);
        residual_spread(v[7 - 2 * i], v[8 + 2 * i], c[i + 4], s[i + 4], 0, u, r);
        residual_gather(p, r, t[2 * i], t[2 * i + 8]);
        residual_gather(q, u, t[2 * i + 1], t[2 * i + 9]);
    }
    residual_adst16_upper(t);
    [[unroll]] for (int i = 0; i < 4; i++) {
        int difference = t[i] - t[i + 4];
        t[i] += t[i + 4];
        t[i + 4] = difference;
    }
    residual_adst16_turn(t[4], t[5], t[6], t[7]);
    residual_adst16_turn(t[12], t[13], t[14], t[15]);
    v[0] = t[0] + t[2] + bias;
    v[15] = bias - (t[1] + t[3]);
    v[3] = bias - t[4];
    v[12] = t[5] + bias;
    v[1] = bias - (t[8] + t[10]);
    v[14] = t[9] + t[11] + bias;
    v[2] = t[12] + bias;
    v[13] = bias - t[13];
    // The bias comes last: coefficients of no conformant stream would wrap elsewhere with it.
    residual_half(t[3] - t[1], t[0] - t[2], 0, v[8], v[7]);
    residual_half(t[7], t[6], 0, v[4], v[11]);
    residual_half(t[9] - t[11], t[8] - t[10], 0, v[6], v[9]);
    residual_half(-t[15], t[14], 0, v[10], v[5]);
    [[unroll]] for (int i = 4; i < 12; i++) v[i] += bias;
}

#endif
