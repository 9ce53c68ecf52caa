// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_RESIDUAL_ADD_GLSL
#define H264_RESIDUAL_ADD_GLSL

#include "common/residual_add.glsl"
#include "common/residual_pair.glsl"

// Two residuals. With 8 bits none needs more than 16: coefficients have those, and no transform
// makes them 64 times as large. With more bits, one that does makes any sample 0 or the largest one.
uint residual_two(int low, int high) {
#if RESIDUAL_DEPTH != 8
    low = clamp(low, -32768, 32767);
    high = clamp(high, -32768, 32767);
#endif
    return residual_pair(low, high);
}

#endif
