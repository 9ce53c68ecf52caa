// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_MBAFF_CHROMA_LINES_GLSL
#define H264_MBAFF_CHROMA_LINES_GLSL

#include "h264/mbaff_units.glsl"
#include "h264/deblock_chroma_edges.glsl"

// Vertical edges of subsampled chroma: each of four rows may have a strength of its own.

const uint SHORT_LINES = SHORT_ROWS / 2u; // of a macroblock

uvec2 line_tc(uvec2 tcs, uvec4 strengths) {
    uvec4 tc = uvec4(chroma_tc(tcs.x, strengths.x), chroma_tc(tcs.x, strengths.y),
                     chroma_tc(tcs.y, strengths.z), chroma_tc(tcs.y, strengths.w));
    return tc.xz + (tc.yw << 16);
}

uint lines_row(Lines lines, uint i) {
    return lines.y + (i == 1u ? second_row(lines) : i == 2u ? third_row(lines) : i);
}

void short_vertical_edge(inout Columns p, inout Columns q, uvec2 thresholds, uvec4 strengths) {
    uvec2 tcs = uvec2(chroma_tcs(thresholds.x), chroma_tcs(thresholds.y));
    uvec2 flags = chroma_flags(p.column[2], p.column[3], q.column[0], q.column[1],
                               word_limits(thresholds));
    filter_chroma(flags, p.column[2], p.column[3], q.column[0], q.column[1],
                  line_tc(tcs, strengths));
    flags = mix(uvec2(0), flags, equal(strengths.xz, uvec2(4)));
    filter_chroma_strong(flags, p.column[2], p.column[3], q.column[0], q.column[1]);
}

void short_left_edge(Unit unit, Lines lines, inout Columns p, inout Columns q) {
    uvec2 edge[4];
    [[unroll]] for (uint i = 0; i < 4; i++)
        edge[i] = left_edge(unit, place_of(unit, lines_row(lines, i), SHORT_LINES), SHORT_LINES);
    short_vertical_edge(p, q, uvec2(edge[0].y, edge[2].y),
                        uvec4(edge[0].x, edge[1].x, edge[2].x, edge[3].x));
}

void short_inner_edge(Unit unit, Lines lines, inout Columns p, inout Columns q) {
    uvec2 edge[4];
    [[unroll]] for (uint i = 0; i < 4; i++) {
        Place place = place_of(unit, lines_row(lines, i), SHORT_LINES);
        edge[i] = uvec2(vertical_strength(place, 2u, SHORT_LINES),
                        thresholds_of(place.record, unit.plane, INNER_EDGES));
    }
    short_vertical_edge(p, q, uvec2(edge[0].y, edge[2].y),
                        uvec4(edge[0].x, edge[1].x, edge[2].x, edge[3].x));
}

#endif
