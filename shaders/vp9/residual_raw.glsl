// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_RAW_GLSL
#define VP9_RESIDUAL_RAW_GLSL

#include "common/residual_add.glsl"
#include "common/residual_pair.glsl"

// Blocks whose residuals the CPU has computed. A lane has four columns of 4 << size rows.
void residual_raw(ResidualTask task, uint size) {
    uint at = task.at + task.lane * RESIDUAL_WORDS_OF_FOUR;
    [[dont_unroll]] for (uint r = 0; r < 4u << size; r++) {
        uvec2 pairs = residual_load_pair(task.source + (r << size + 1) + task.lane * 2);
        int a = residual_low(pairs.x), b = residual_high(pairs.x), c = residual_low(pairs.y), d = residual_high(pairs.y);
#if RESIDUAL_DEPTH == 8
        uint word = residual_add(residual_before(at), a, b, c, d);
        if (task.live) samples[at] = word;
#else
        uint first = residual_add(residual_before(at), a, b), second = residual_add(residual_before(at + 1), c, d);
        if (task.live) {
            samples[at] = first;
            samples[at + 1] = second;
        }
#endif
        at += task.stride;
    }
}

#endif
