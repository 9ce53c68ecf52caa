// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_RESIDUAL_FLAT_GLSL
#define H264_RESIDUAL_FLAT_GLSL

#include "h264/residual_add.glsl"

// Blocks without a transform: those of which only the DC coefficient counts, one residual for all
// samples that the CPU has worked out, and those that bypass the transform.

#if RESIDUAL_DEPTH == 8
// Adds `step`, twice a value of 0..255, to all four samples at once: in two halves of 16 bits, of
// which bit 8 tells the overflow.
uint residual_dc_saturate(uint word, uint step) {
    uint even = (word & 0xff00ffu) + step;
    uint odd = (word >> 8 & 0xff00ffu) + step;
    uint even_over = even & 0x1000100u;
    uint odd_over = odd & 0x1000100u;
    even = (even | even_over - (even_over >> 8)) & 0xff00ffu;
    odd = (odd | odd_over - (odd_over >> 8)) & 0xff00ffu;
    return even + (odd << 8);
}
#endif

// A lane has four columns of 4 * fours rows.
void residual_dc(ResidualTask task, uint fours) {
    int residual = int(task.source);
    uint at = task.at + task.lane * RESIDUAL_WORDS_OF_FOUR;
#if RESIDUAL_DEPTH == 8
    // A negative residual is added to the complement.
    uint flip = uint(residual >> 31);
    uint step = uint(min(abs(residual), 255)) * 0x10001u;
#endif
    [[dont_unroll]] for (uint r = 0; r < fours; r++) {
        uint words[4 * RESIDUAL_WORDS_OF_FOUR];
        [[unroll]] for (uint i = 0; i < 4 * RESIDUAL_WORDS_OF_FOUR; i++)
            words[i] = samples[at + i / RESIDUAL_WORDS_OF_FOUR * task.stride + i % RESIDUAL_WORDS_OF_FOUR];
        [[unroll]] for (uint i = 0; i < 4 * RESIDUAL_WORDS_OF_FOUR; i++) {
#if RESIDUAL_DEPTH == 8
            words[i] = residual_dc_saturate(words[i] ^ flip, step) ^ flip;
#else
            words[i] = residual_add(words[i], residual, residual);
#endif
        }
        if (task.live) {
            [[unroll]] for (uint i = 0; i < 4 * RESIDUAL_WORDS_OF_FOUR; i++)
                samples[at + i / RESIDUAL_WORDS_OF_FOUR * task.stride + i % RESIDUAL_WORDS_OF_FOUR] =
                    words[i];
        }
        at += task.stride * 4;
    }
}

// Samples added modulo their size in memory, 8 or 16 bits, all of a word at once: the highest bit
// of each takes no part in the sum, so that nothing is carried from one to the next. A conformant
// stream's sums need no clipping (8.5.14, 8.5.15). Coefficients: row after row, packed as samples.
void residual_bypass(ResidualTask task) {
#if RESIDUAL_DEPTH == 8
    const uint top = 0x80808080u;
#else
    const uint top = 0x80008000u;
#endif
    uint words[4 * RESIDUAL_WORDS_OF_FOUR];
    [[unroll]] for (uint i = 0; i < 4 * RESIDUAL_WORDS_OF_FOUR; i++)
        words[i] = samples[task.at + i / RESIDUAL_WORDS_OF_FOUR * task.stride + i % RESIDUAL_WORDS_OF_FOUR];
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
            samples[task.at + i / RESIDUAL_WORDS_OF_FOUR * task.stride + i % RESIDUAL_WORDS_OF_FOUR] =
                words[i];
    }
}

#endif
