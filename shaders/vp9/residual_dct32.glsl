// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_DCT32_GLSL
#define VP9_RESIDUAL_DCT32_GLSL

#include "vp9/residual_dct16.glsl"

// Inverse DCT of 32 points, VP9 bitstream specification 8.7.1.2 and 8.7.1.3.

// The odd half's first stages: v[k] is input 2k + 1 and becomes value 16 + k of the flow graph.
void residual_dct32_odd_first(inout int v[16]) {
    int a[16];
    residual_rotate(v[0], v[15], 804, 16364, a[0], a[15]);
    residual_rotate(v[8], v[7], 12140, 11003, a[1], a[14]);
    residual_rotate(v[4], v[11], 7005, 14811, a[2], a[13]);
    residual_rotate(v[12], v[3], 15426, 5520, a[3], a[12]);
    residual_rotate(v[2], v[13], 3981, 15893, a[4], a[11]);
    residual_rotate(v[10], v[5], 14053, 8423, a[5], a[10]);
    residual_rotate(v[6], v[9], 9760, 13160, a[6], a[9]);
    residual_rotate(v[14], v[1], 16207, 2404, a[7], a[8]);
    [[unroll]] for (uint i = 0; i < 16; i += 4) {
        v[i] = a[i] + a[i + 1];
        v[i + 1] = a[i] - a[i + 1];
        v[i + 2] = a[i + 3] - a[i + 2];
        v[i + 3] = a[i + 3] + a[i + 2];
    }
    residual_rotate(v[14], v[1], 3196, 16069, v[1], v[14]);
    residual_rotate_back(v[13], v[2], 3196, 16069, v[13], v[2]);
    residual_rotate(v[10], v[5], 13623, 9102, v[5], v[10]);
    residual_rotate_back(v[9], v[6], 13623, 9102, v[9], v[6]);
}

// Values 16..31 of the flow graph become what output k adds and output 31 - k subtracts.
void residual_dct32_odd_last(inout int v[16]) {
    int a[16];
    [[unroll]] for (uint i = 0; i < 2; i++) {
        a[i] = v[i] + v[3 - i];
        a[3 - i] = v[i] - v[3 - i];
        a[7 - i] = v[7 - i] + v[4 + i];
        a[4 + i] = v[7 - i] - v[4 + i];
        a[8 + i] = v[8 + i] + v[11 - i];
        a[11 - i] = v[8 + i] - v[11 - i];
        a[15 - i] = v[15 - i] + v[12 + i];
        a[12 + i] = v[15 - i] - v[12 + i];
    }
    residual_rotate(a[13], a[2], 6270, 15137, a[2], a[13]);
    residual_rotate(a[12], a[3], 6270, 15137, a[3], a[12]);
    residual_rotate_back(a[11], a[4], 6270, 15137, a[11], a[4]);
    residual_rotate_back(a[10], a[5], 6270, 15137, a[10], a[5]);
    [[unroll]] for (uint i = 0; i < 4; i++) {
        v[i] = a[15 - i] + a[8 + i];
        v[15 - i] = a[i] + a[7 - i];
        residual_half(a[15 - i] - a[8 + i], a[i] - a[7 - i], 0, v[7 - i], v[8 + i]);
    }
}

void residual_dct32_odd(inout int v[16]) {
    residual_dct32_odd_first(v);
    residual_dct32_odd_last(v);
}

#endif
