// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_DCT16_GLSL
#define VP9_RESIDUAL_DCT16_GLSL

#include "vp9/residual_dct.glsl"

// Inverse DCT of 16 points, VP9 bitstream specification 8.7.1.2 and 8.7.1.3.

// The odd half: v[k] is input 2k + 1, and becomes what output k adds and output 15 - k subtracts.
void residual_dct16_odd(inout int v[8]) {
    int a8, a9, a10, a11, a12, a13, a14, a15;
    residual_rotate(v[0], v[7], 1606, 16305, a8, a15);
    residual_rotate(v[4], v[3], 12665, 10394, a9, a14);
    residual_rotate(v[2], v[5], 7723, 14449, a10, a13);
    residual_rotate(v[6], v[1], 15679, 4756, a11, a12);
    int b8 = a8 + a9;
    int b9 = a8 - a9;
    int b10 = a11 - a10;
    int b11 = a11 + a10;
    int b12 = a12 + a13;
    int b13 = a12 - a13;
    int b14 = a15 - a14;
    int b15 = a15 + a14;
    residual_rotate(b14, b9, 6270, 15137, a9, a14);
    residual_rotate_back(b13, b10, 6270, 15137, a13, a10);
    v[0] = b15 + b12;
    v[1] = a14 + a13;
    residual_half(a14 - a13, a9 - a10, 0, v[2], v[5]);
    residual_half(b15 - b12, b8 - b11, 0, v[3], v[4]);
    v[6] = a9 + a10;
    v[7] = b8 + b11;
}

void residual_dct16(inout int v[16], int bias) {
    int e[8] = {v[0], v[2], v[4], v[6], v[8], v[10], v[12], v[14]};
    int o[8] = {v[1], v[3], v[5], v[7], v[9], v[11], v[13], v[15]};
    residual_dct8(e, bias);
    residual_dct16_odd(o);
    [[unroll]] for (uint i = 0; i < 8; i++) {
        v[i] = e[i] + o[i];
        v[15 - i] = e[i] - o[i];
    }
}

#endif
