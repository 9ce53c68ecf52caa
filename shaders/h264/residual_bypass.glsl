// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_RESIDUAL_BYPASS_GLSL
#define H264_RESIDUAL_BYPASS_GLSL

#include "common/residual_pair.glsl"

// Blocks that bypass the transform: samples added modulo their size in memory, 8 or 16 bits, all of
// a word at once: the highest bit of each takes no part in the sum, so that nothing is carried from
// one to the next. A conformant stream's sums need no clipping (8.5.14, 8.5.15).
uint residual_bypass_sum(uint word, uint residual) {
    const uint top = RESIDUAL_DEPTH == 8 ? 0x80808080u : 0x80008000u;
    return (word & ~top) + (residual & ~top) ^ (word ^ residual) & top;
}

// Few streams have them, so the code is short.
void residual_bypass(ResidualTask task) {
    if (!task.live) return;
    [[dont_unroll]] for (uint r = 0; r < 4; r++) {
        uint at = task.at + r * task.stride;
#if RESIDUAL_DEPTH == 8
        uvec2 pairs = residual_load_pair(task.source + r * 2) & 0x00ff00ffu;
#else
        ivec4 row = ivec4(residual_load(task.source + r * 4));
        uvec2 pairs = uvec2(residual_pair(row.x, row.y), residual_pair(row.z, row.w));
#endif
#ifdef RESIDUAL_ALONE
        sample_pairs[at >> 1] = pairs;
#elif RESIDUAL_DEPTH == 8
        pairs += pairs >> 8;
        samples[at] = residual_bypass_sum(samples[at], pairs.x & 0xffffu | pairs.y << 16);
#else
        samples[at] = residual_bypass_sum(samples[at], pairs.x);
        samples[at + 1] = residual_bypass_sum(samples[at + 1], pairs.y);
#endif
    }
}

#endif
