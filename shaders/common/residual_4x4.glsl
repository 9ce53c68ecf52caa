// SPDX-License-Identifier: BSD-2-Clause
#ifndef COMMON_RESIDUAL_4X4_GLSL
#define COMMON_RESIDUAL_4X4_GLSL

#include "common/residual_add.glsl"
#include "common/residual_pair.glsl"

// 4x4 blocks, a lane each: nothing is shared. v[row * 4 + column].

// Coefficients: the decoder's block as it is, column after column, so with 8 bits a word holds two
// rows of a column.
void residual_4x4_load(uint source, out int v[16]) {
#if RESIDUAL_DEPTH == 8
    [[unroll]] for (uint h = 0; h < 2; h++) {
        uvec4 words = residual_load(source + h * 4);
        [[unroll]] for (uint i = 0; i < 4; i++) {
            uint at = (i & 1) * 8 + h * 2 + (i >> 1);
            v[at] = residual_low(words[i]);
            v[at + 4] = residual_high(words[i]);
        }
    }
#else
    [[unroll]] for (uint c = 0; c < 4; c++) {
        uvec4 words = residual_load(source + c * 4);
        [[unroll]] for (uint r = 0; r < 4; r++) v[r * 4 + c] = int(words[r]);
    }
#endif
}

// Reads the samples before the transform, so that V3D waits for them meanwhile.
void residual_4x4_before(ResidualTask task, out uint words[4 * RESIDUAL_WORDS_OF_FOUR]) {
    [[unroll]] for (uint i = 0; i < 4 * RESIDUAL_WORDS_OF_FOUR; i++)
        words[i] = residual_before(residual_square_word(task.at, task.stride, i));
}

void residual_4x4_store(ResidualTask task, int v[16], uint words[4 * RESIDUAL_WORDS_OF_FOUR]) {
    [[unroll]] for (uint r = 0; r < 4; r++) {
        uint i = r * 4;
#if RESIDUAL_DEPTH == 8
        words[r] = residual_add(words[r], v[i], v[i + 1], v[i + 2], v[i + 3]);
#else
        words[r * 2] = residual_add(words[r * 2], v[i], v[i + 1]);
        words[r * 2 + 1] = residual_add(words[r * 2 + 1], v[i + 2], v[i + 3]);
#endif
    }
    if (task.live) {
        [[unroll]] for (uint i = 0; i < 4 * RESIDUAL_WORDS_OF_FOUR; i++)
            samples[residual_square_word(task.at, task.stride, i)] = words[i];
    }
}

#endif
