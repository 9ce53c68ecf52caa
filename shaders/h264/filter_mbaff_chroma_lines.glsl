// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_MBAFF_CHROMA_LINES_GLSL
#define H264_FILTER_MBAFF_CHROMA_LINES_GLSL

#include "h264/filter_mbaff_units.glsl"
#include "h264/filter_chroma_edges.glsl"

// Vertical edges of subsampled chroma: each of two rows may have a strength of its own, but both or
// none have strength 4.

const uint SHORT_LINES = SHORT_ROWS / 2u; // of a macroblock

void short_vertical_edge(inout Columns p, inout Columns q, uint thresholds, uint first,
                         uint second) {
    uint tcs = chroma_tcs(thresholds);
    chroma_outer_edge(p.column[2], p.column[3], q.column[0], q.column[1], limits_of(thresholds),
                      chroma_tc(tcs, first) + (chroma_tc(tcs, second) << 16), first == 4u);
}

void short_left_edge(Unit unit, Lines lines, inout Columns p, inout Columns q) {
    uvec2 first = left_edge(unit, place_of(unit, lines.y, SHORT_LINES), SHORT_LINES);
    uvec2 second = left_edge(unit, place_of(unit, lines.y + lines.step, SHORT_LINES), SHORT_LINES);
    short_vertical_edge(p, q, first.y, first.x, second.x);
}

void short_inner_edge(Unit unit, Lines lines, inout Columns p, inout Columns q) {
    Place first = place_of(unit, lines.y, SHORT_LINES);
    Place second = place_of(unit, lines.y + lines.step, SHORT_LINES);
    short_vertical_edge(p, q, thresholds_of(first.record, unit.plane, INNER_EDGES),
                        vertical_strength(first, 2u, SHORT_LINES),
                        vertical_strength(second, 2u, SHORT_LINES));
}

#endif
