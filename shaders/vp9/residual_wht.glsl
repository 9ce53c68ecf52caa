// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_WHT_GLSL
#define VP9_RESIDUAL_WHT_GLSL

// Inverse Walsh-Hadamard transform, VP9 bitstream specification 8.7.1.10.
void residual_wht4(inout int v[4]) {
    int a = v[0] + v[1];
    int d = v[2] - v[3];
    int e = (a - d) >> 1;
    int b = e - v[3];
    int c = e - v[1];
    v[0] = a - b;
    v[1] = b;
    v[2] = c;
    v[3] = d + c;
}

#endif
