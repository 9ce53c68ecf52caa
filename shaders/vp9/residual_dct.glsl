// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_DCT_GLSL
#define VP9_RESIDUAL_DCT_GLSL

#include "vp9/residual_rotate.glsl"

// Inverse DCT of 4 and 8 points, VP9 bitstream specification 8.7.1.2 and 8.7.1.3. `bias` is added
// to every output: the second pass has its rounding in it, where it costs nothing.
void residual_dct4(inout int v[4], int bias) {
    int a, b, c, d;
    residual_half(v[0], v[2], bias, a, b);
    residual_rotate(v[1], v[3], 6270, 15137, c, d);
    v[0] = a + d;
    v[1] = b + c;
    v[2] = b - c;
    v[3] = a - d;
}

void residual_dct8(inout int v[8], int bias) {
    int e[4] = {v[0], v[2], v[4], v[6]};
    residual_dct4(e, bias);
    int a4, a5, a6, a7;
    residual_rotate(v[1], v[7], 3196, 16069, a4, a7);
    residual_rotate(v[5], v[3], 13623, 9102, a5, a6);
    int t4 = a4 + a5;
    int t7 = a7 + a6;
    int t5, t6;
    residual_half(a7 - a6, a4 - a5, 0, t6, t5);
    v[0] = e[0] + t7;
    v[1] = e[1] + t6;
    v[2] = e[2] + t5;
    v[3] = e[3] + t4;
    v[4] = e[3] - t4;
    v[5] = e[2] - t5;
    v[6] = e[1] - t6;
    v[7] = e[0] - t7;
}

#endif
