// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking of MBAFF frames, first pass: the last columns of each unit after the vertical
// edges at 8 and 12, as far as they depend on these. Chroma's strips are no more than copied.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#include "h264/mbaff_units.glsl"

uvec2 strengths_of(Place a, Place b, uint edge) {
    return uvec2(vertical_strength(a, edge, 16u), vertical_strength(b, edge, 16u));
}

// Into the unit's own shaft, and above the one below.
void store_strip(Unit unit, Lines lines, uint rows, uint halo, Block block) {
    uint shaft = push.strips[unit.plane] + unit.number * (halo + rows);
    store_shaft_lines(lines, shaft + halo + lines.y, block);
    if (lines.y + halo >= rows && !last_row(unit))
        store_shaft_lines(lines, shaft + push.mb_width * (halo + rows) + lines.y + halo - rows,
                          block);
}

void main() {
    uint mb_x = group_x();
    Work work = work_of(row_of_work(mb_x));
    if (work.is_long) {
        Unit unit = unit_of(work.plane, mb_x, work.row / 8u);
        Lines lines = lines_of(unit, work.row % 8u * 4u);
        uint at = sample_at(unit, LONG_ROWS, 4u, lines.y, 1u);
        uint line = push.line[unit.plane];
        Place a = place_of(unit, lines.y, 16u);
        Place b = place_of(unit, lines.y + third_row(lines), 16u);
        uvec2 thresholds = uvec2(thresholds_of(a.record, unit.plane, INNER_EDGES),
                                 thresholds_of(b.record, unit.plane, INNER_EDGES));
        Columns p = to_columns(load_lines(lines, at, line));
        Columns q = to_columns(load_lines(lines, at + QUAD, line));
        word_edge_before(p, q, thresholds, strengths_of(a, b, 2u));
        p = q;
        q = to_columns(load_lines(lines, at + 2u * QUAD, line));
        word_inner_edge(p, q, thresholds, strengths_of(a, b, 3u));
        store_strip(unit, lines, LONG_ROWS, LONG_HALO, to_lines(q));
    }
#ifdef CHROMA_SUBSAMPLED
    if (work.is_short) {
        Unit unit = unit_of(work.plane, mb_x, work.row / (SHORT_ROWS / 4u));
        Lines lines = Lines(work.row % (SHORT_ROWS / 4u) * 4u, false);
        uint at = sample_at(unit, SHORT_ROWS, 2u, lines.y, 1u);
        store_strip(unit, lines, SHORT_ROWS, SHORT_HALO,
                    load_block(at, push.line[unit.plane]));
    }
#endif
}
