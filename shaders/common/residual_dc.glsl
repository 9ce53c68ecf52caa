// SPDX-License-Identifier: BSD-2-Clause
#ifndef COMMON_RESIDUAL_DC_GLSL
#define COMMON_RESIDUAL_DC_GLSL

#include "common/residual_add.glsl"

// Blocks of which only the DC coefficient counts. The CPU has computed one residual for all
// samples.

#if RESIDUAL_DEPTH == 8
// Adds `step`, twice a value of 0..255, to all four samples at once, in two halves of 16 bits. Bit
// 8 of each half shows the overflow.
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

// A lane has four columns of 4 << size rows.
void residual_dc(ResidualTask task, uint size) {
    int residual = int(task.source);
    uint at = task.at + task.lane * RESIDUAL_WORDS_OF_FOUR;
#if RESIDUAL_DEPTH == 8
    // A negative residual is added to the complement.
    uint flip = uint(residual >> 31);
    uint step = uint(min(abs(residual), 255)) * 0x10001u;
#endif
    [[dont_unroll]] for (uint r = 0; r < 1u << size; r++) {
        uint words[4 * RESIDUAL_WORDS_OF_FOUR];
        [[unroll]] for (uint i = 0; i < 4 * RESIDUAL_WORDS_OF_FOUR; i++)
            words[i] = residual_before(residual_square_word(at, task.stride, i));
        [[unroll]] for (uint i = 0; i < 4 * RESIDUAL_WORDS_OF_FOUR; i++) {
#if RESIDUAL_DEPTH == 8
            words[i] = residual_dc_saturate(words[i] ^ flip, step) ^ flip;
#else
            words[i] = residual_add(words[i], residual, residual);
#endif
        }
        if (task.live) {
            [[unroll]] for (uint i = 0; i < 4 * RESIDUAL_WORDS_OF_FOUR; i++)
                samples[residual_square_word(at, task.stride, i)] = words[i];
        }
        at += task.stride * 4;
    }
}

#endif
