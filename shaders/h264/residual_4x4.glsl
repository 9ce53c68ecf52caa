// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_RESIDUAL_4X4_GLSL
#define H264_RESIDUAL_4X4_GLSL

#include "h264/residual_add.glsl"

#include "common/residual_4x4.glsl"

// One row or column of 8.5.12.2, the values `step` apart.
void residual_4x4_line(inout int v[16], uint at, uint step) {
    int e = v[at] + v[at + step * 2];
    int f = v[at] - v[at + step * 2];
    int g = (v[at + step] >> 1) - v[at + step * 3];
    int h = v[at + step] + (v[at + step * 3] >> 1);
    v[at] = e + h;
    v[at + step] = f + g;
    v[at + step * 2] = f - g;
    v[at + step * 3] = e - h;
}

void residual_4x4_transform(inout int v[16]) {
    v[0] += 32; // rounds every result
#if RESIDUAL_DEPTH == 8
    v[0] = residual_low(uint(v[0])); // as FFmpeg adds it
#endif
    [[unroll]] for (uint r = 0; r < 4; r++) residual_4x4_line(v, r * 4, 1);
#if RESIDUAL_DEPTH == 8
    // As FFmpeg's C functions keep them; only damage exceeds 16 bits.
    [[unroll]] for (uint i = 0; i < 16; i++) v[i] = residual_low(uint(v[i]));
#endif
    [[unroll]] for (uint c = 0; c < 4; c++) residual_4x4_line(v, c, 4);
    [[unroll]] for (uint i = 0; i < 16; i++) v[i] >>= 6;
}

#ifdef RESIDUAL_ALONE
void residual_4x4(ResidualTask task) {
    int v[16]; // row * 4 + column
    residual_4x4_load(task.source, v);
    residual_4x4_transform(v);
    if (!task.live) return;
    [[unroll]] for (uint r = 0; r < 4; r++)
        sample_pairs[task.at + r * task.stride >> 1] =
            uvec2(residual_two(v[r * 4], v[r * 4 + 1]), residual_two(v[r * 4 + 2], v[r * 4 + 3]));
}
#else
void residual_4x4(ResidualTask task) {
    int v[16];
    residual_4x4_load(task.source, v);
    uint words[4 * RESIDUAL_WORDS_OF_FOUR];
    residual_4x4_before(task, words);
    residual_4x4_transform(v);
    residual_4x4_store(task, v, words);
}
#endif

#endif
