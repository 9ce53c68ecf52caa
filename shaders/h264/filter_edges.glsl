// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_EDGES_GLSL
#define H264_FILTER_EDGES_GLSL

#ifdef MBAFF
#include "h264/filter_mbaff_columns.glsl"
#else
#include "h264/filter_columns.glsl"
#endif
#include "h264/filter_core.glsl"

// Luma's edges between two blocks of 4x4 samples, p before q; strengths and thresholds as in the
// records.

Limits limits_of(uint thresholds) {
    Words alpha = Words(alpha_of(thresholds) * ONES);
    Words beta = Words(beta_of(thresholds) * ONES);
    return Limits(limit_add(alpha), limit_top_or_none(alpha), limit_add(beta), limit_top(beta));
}

// How edges with strength 0 are left alone.
Limits only_if_filtered(Limits limits, uint strength) {
    limits.alpha_top = strength == 0u ? Words(NO_LINE) : limits.alpha_top;
    return limits;
}

Flags edge_flags(Columns p, Columns q, Limits limits) {
    return line_flags(p.column[1], p.column[2], p.column[3], q.column[0], q.column[1],
                      q.column[2], limits);
}

void normal_edge(Flags flags, inout Columns p, inout Columns q, uint tc0, Words sides) {
    filter_normal(flags, p.column[1], p.column[2], p.column[3], q.column[0], q.column[1],
                  q.column[2], Words(tc0), sides);
}

void inner_edge(inout Columns p, inout Columns q, Limits limits, uint thresholds, uint strength) {
    Flags flags = edge_flags(p, q, only_if_filtered(limits, strength));
    normal_edge(flags, p, q, tc0_of(thresholds, strength), flags.p + flags.q);
}

// What the next edge needs of the edge between p and q: its q1.
void edge_before(Columns p, inout Columns q, Limits limits, uint thresholds, uint strength) {
    q.column[1] = filter_normal_q1(p.column[2], p.column[3], q.column[0], q.column[1],
                                   q.column[2], only_if_filtered(limits, strength),
                                   Words(tc0_of(thresholds, strength)));
}

// A macroblock's edge: strength 4 is possible. Lines that have it pass the other filter first, and
// unchanged: that costs less than a second branch.
void outer_edge(inout Columns p, inout Columns q, uint thresholds, uint strength) {
    Flags flags = edge_flags(p, q, only_if_filtered(limits_of(thresholds), strength));
    bool strong = strength == 4u;
    normal_edge(flags, p, q, strong ? 0u : tc0_of(thresholds, strength),
                flags.p + flags.q & (strong ? 0u : 3u * ONES));
    if (strong)
        filter_strong(flags, p.column[0], p.column[1], p.column[2], p.column[3], q.column[0],
                      q.column[1], q.column[2], q.column[3], Words(((alpha_of(thresholds) >> 2) + 2u) * ONES));
}

#endif
