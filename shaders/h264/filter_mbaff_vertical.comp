// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking of MBAFF frames, third pass: all vertical edges of two rows of a unit, with the
// last columns of the unit on the left from the second pass.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#include "h264/filter_mbaff_units.glsl"
#ifdef CHROMA_SUBSAMPLED
#include "h264/filter_mbaff_chroma_lines.glsl"
#endif

// Rows that the unit below has finished already stay as they are.
void store_final(Unit unit, Lines lines, uint rows, uint finished_below, Columns columns) {
    uint first = of_plane(push.finals, unit.plane) + (unit.number - 1u) * rows;
    uint end = last_row(unit) ? rows : rows - finished_below;
    end = unit.x == 0u ? 0u : end;
    Quad one, other;
    to_lines(columns, one, other);
    if (lines.y < end) store_scratch((first + lines.y) * QUAD, one);
    if (lines.y + lines.step < end) store_scratch((first + lines.y + lines.step) * QUAD, other);
}

// Where the lines' last columns of the unit on the left are. On the picture's border anything will
// do: the edge is not filtered.
uint left_strip(Unit unit, Lines lines, uint rows, uint halo) {
    uint number = unit.number - (unit.x > 0u ? 1u : 0u);
    return of_plane(push.strips, unit.plane) + number * (halo + rows) + halo + lines.y;
}

void long_lines(Unit unit, uint index) {
    Lines lines = lines_of(unit, index);
    uint line = of_plane(push.line, unit.plane);
    uint at = sample_at(unit, LONG_ROWS, 4u, lines.y, 0u);
    Columns p = load_shaft_lines(lines, left_strip(unit, lines, LONG_ROWS, LONG_HALO));
    Columns q = load_lines(lines, at, line);
    long_left_edge(unit, lines, p, q);
    store_final(unit, lines, LONG_ROWS, LONG_FINISHED_BELOW, p);
    Place place = place_of(unit, lines.y, 16u);
    uint thresholds = thresholds_of(place.record, unit.plane, INNER_EDGES);
    uint shaft = of_plane(push.tiles, unit.plane) + unit.number * 4u * (LONG_HALO + LONG_ROWS);
    [[dont_unroll]] for (uint e = 1; e < 4; e++) {
        p = q;
        at += QUAD;
        q = load_lines(lines, at, line);
        inner_edge(p, q, limits_of(thresholds), thresholds, vertical_strength(place, e, 16u));
        store_twice(unit, lines, LONG_ROWS, LONG_HALO, shaft, push.mb_width * 4u, p);
        shaft += LONG_HALO + LONG_ROWS;
    }
    if (last_column(unit))
        store_twice(unit, lines, LONG_ROWS, LONG_HALO, shaft, push.mb_width * 4u, q);
}

#ifdef CHROMA_SUBSAMPLED
void short_lines(Unit unit, uint index) {
    Lines lines = lines_of(unit, index);
    uint line = of_plane(push.line, unit.plane);
    uint at = sample_at(unit, SHORT_ROWS, 2u, lines.y, 0u);
    Columns p = load_shaft_lines(lines, left_strip(unit, lines, SHORT_ROWS, SHORT_HALO));
    Columns q = load_lines(lines, at, line);
    short_left_edge(unit, lines, p, q);
    store_final(unit, lines, SHORT_ROWS, SHORT_FINISHED_BELOW, p);
    p = q;
    q = load_lines(lines, at + QUAD, line);
    short_inner_edge(unit, lines, p, q);
    uint shaft = of_plane(push.tiles, unit.plane) + unit.number * 2u * (SHORT_HALO + SHORT_ROWS);
    store_twice(unit, lines, SHORT_ROWS, SHORT_HALO, shaft, push.mb_width * 2u, p);
    store_twice(unit, lines, SHORT_ROWS, SHORT_HALO, shaft + SHORT_HALO + SHORT_ROWS,
                push.mb_width * 2u, q);
}
#endif

void main() {
    uint mb_x = group_x();
    Work work = work_of(row_of_work(mb_x));
    if (work.is_long) long_lines(unit_of(work.plane, mb_x, work.row / 16u), work.row % 16u);
#ifdef CHROMA_SUBSAMPLED
    if (work.is_short)
        short_lines(unit_of(work.plane, mb_x, work.row / (SHORT_ROWS / 2u)),
                    work.row % (SHORT_ROWS / 2u));
#endif
}
