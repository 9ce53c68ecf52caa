// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_CHROMA_EDGES_GLSL
#define H264_FILTER_CHROMA_EDGES_GLSL

#ifdef MBAFF
#include "h264/filter_mbaff_columns.glsl"
#else
#include "h264/filter_columns.glsl"
#endif
#include "h264/filter_core.glsl"

// Edges of subsampled chroma; limits_of() is that of filter_edges.glsl.

// tc0 + 1 for strength n in bits 5n to 5n + 4, and 0 for strengths 0 and 4: a tC of 0 changes
// nothing.
uint chroma_tcs(uint thresholds) { return (thresholds >> 16) + 0x421u << 5; }

uint chroma_tc(uint tcs, uint strength) {
    uint tc = tcs >> strength * 5u & 31u;
#ifdef HIGH_DEPTH
    return uint(max(int(tc << depth_shift()) - int((1u << depth_shift()) - 1u), 0));
#else
    return tc;
#endif
}

// An edge of a macroblock. `strong` is the same for all its lines.
void chroma_outer_edge(Words p1, inout Words p0, inout Words q0, Words q1, Limits limits,
                       Words tc, bool strong) {
    Words line = chroma_flags(p1, p0, q0, q1, limits);
    filter_chroma(line, p1, p0, q0, q1, tc);
    if (strong) filter_chroma_strong(line, p1, p0, q0, q1);
}

void chroma_inner_edge(Words p1, inout Words p0, inout Words q0, Words q1, Limits limits,
                       Words tc) {
    filter_chroma(chroma_flags(p1, p0, q0, q1, limits), p1, p0, q0, q1, tc);
}

#ifndef MBAFF
// tC of four columns, which lie in two segments: the order of to_row().
uvec2 row_tc(uint tcs, uint strengths) {
    uint low = chroma_tc(tcs, strengths & 15u);
    uint high = chroma_tc(tcs, strengths >> 16 & 15u);
#ifdef HIGH_DEPTH
    return uvec2(low, high) * ONES;
#else
    return uvec2(low + (high << 16));
#endif
}
#endif

#endif
