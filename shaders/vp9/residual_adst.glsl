// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_ADST_GLSL
#define VP9_RESIDUAL_ADST_GLSL

#include "vp9/residual_rotate.glsl"

// Inverse ADST of 4 and 8 points, VP9 bitstream specification 8.7.1.6 and 8.7.1.7; `bias` is added
// to every output.
void residual_adst4(inout int v[4], int bias) {
    int round = RESIDUAL_ROUND + (bias << 14);
    int s0 = v[0] * 5283 + v[2] * 15212 + v[3] * 9929 + round;
    int s1 = v[0] * 9929 - v[2] * 5283 - v[3] * 15212;
    int s2 = (v[0] - v[2] + v[3]) * 13377 + round;
    int s3 = v[1] * 13377;
    v[0] = (s0 + s3) >> 14;
    v[1] = (s1 + s3 + round) >> 14;
    v[2] = s2 >> 14;
    v[3] = (s0 + s1 - s3) >> 14;
}

// x = Round2(a + b, 14), y = Round2(a - b, 14); a has the rounding in it.
void residual_gather(int a, int b, out int x, out int y) {
    x = (a + b) >> 14;
    y = (a - b) >> 14;
}

void residual_adst8(inout int v[8], int bias) {
    int s0, s1, s2, s3, s4, s5, s6, s7;
    residual_spread(v[7], v[0], 1606, 16305, RESIDUAL_ROUND, s1, s0);
    residual_spread(v[5], v[2], 7723, 14449, RESIDUAL_ROUND, s3, s2);
    residual_spread(v[3], v[4], 12665, 10394, 0, s5, s4);
    residual_spread(v[1], v[6], 15679, 4756, 0, s7, s6);
    int t0, t1, t2, t3, t4, t5, t6, t7;
    residual_gather(s0, s4, t0, t4);
    residual_gather(s1, s5, t1, t5);
    residual_gather(s2, s6, t2, t6);
    residual_gather(s3, s7, t3, t7);
    residual_spread(t4, t5, 6270, 15137, RESIDUAL_ROUND, s5, s4);
    residual_spread(t7, t6, 15137, 6270, 0, s6, s7);
    residual_gather(s4, s6, t4, t6);
    residual_gather(s5, s7, t5, t7);
    v[0] = t0 + t2 + bias;
    v[7] = bias - (t1 + t3);
    v[1] = bias - t4;
    v[6] = t5 + bias;
    int x, y;
    residual_half(t0 - t2, t1 - t3, 0, x, y);
    v[3] = bias - x;
    v[4] = y + bias;
    residual_half(t6, t7, 0, x, y);
    v[2] = x + bias;
    v[5] = bias - y;
}

#endif
