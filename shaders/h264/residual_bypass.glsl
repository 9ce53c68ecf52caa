// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_RESIDUAL_BYPASS_GLSL
#define H264_RESIDUAL_BYPASS_GLSL

// Blocks that bypass the transform: samples added modulo their size in memory, 8 or 16 bits, all of
// a word at once: the highest bit of each takes no part in the sum, so that nothing is carried from
// one to the next. A conformant stream's sums need no clipping (8.5.14, 8.5.15). Coefficients: row
// after row, packed as samples.
void residual_bypass(ResidualTask task) {
#if RESIDUAL_DEPTH == 8
    const uint top = 0x80808080u;
#else
    const uint top = 0x80008000u;
#endif
    uint words[4 * RESIDUAL_WORDS_OF_FOUR];
    [[unroll]] for (uint i = 0; i < 4 * RESIDUAL_WORDS_OF_FOUR; i++)
        words[i] = samples[residual_square_word(task.at, task.stride, i)];
    [[unroll]] for (uint i = 0; i < RESIDUAL_WORDS_OF_FOUR; i++) {
        uvec4 residual = residual_load(task.source + i * 4);
        [[unroll]] for (uint j = 0; j < 4; j++) {
            uint word = words[i * 4 + j];
            words[i * 4 + j] =
                (word & ~top) + (residual[j] & ~top) ^ (word ^ residual[j]) & top;
        }
    }
    if (task.live) {
        [[unroll]] for (uint i = 0; i < 4 * RESIDUAL_WORDS_OF_FOUR; i++)
            samples[residual_square_word(task.at, task.stride, i)] = words[i];
    }
}

#endif
