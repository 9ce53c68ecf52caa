// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_ITX_RAW_GLSL
#define VP9_ITX_RAW_GLSL

#include "vp9/residual_add.glsl"
#include "vp9/residual_pair.glsl"

// Blocks of which the CPU has worked out the residuals. A lane has four columns of 4 << size rows.
void itx_raw(ItxTask task, uint size) {
    uint at = task.at + task.lane * ITX_WORDS_OF_FOUR;
    [[dont_unroll]] for (uint r = 0; r < 4u << size; r++) {
        uvec2 pairs = itx_load_pair(task.source + (r << size + 1) + task.lane * 2);
        int a = itx_low(pairs.x), b = itx_high(pairs.x), c = itx_low(pairs.y), d = itx_high(pairs.y);
#if ITX_DEPTH == 8
        uint word = itx_add(itx_before(at), a, b, c, d);
        if (task.live) samples[at] = word;
#else
        uint first = itx_add(itx_before(at), a, b), second = itx_add(itx_before(at + 1), c, d);
        if (task.live) {
            samples[at] = first;
            samples[at + 1] = second;
        }
#endif
        at += task.stride;
    }
}

#endif
