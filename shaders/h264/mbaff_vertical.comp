// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking of MBAFF frames, third pass: all vertical edges of four rows of a unit, with the
// last columns of the unit on the left from the second pass.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#include "h264/mbaff_units.glsl"
#ifdef CHROMA_SUBSAMPLED
#include "h264/mbaff_chroma_lines.glsl"
#endif

// Rows that the unit below has finished already stay as they are.
void store_final(Unit unit, Lines lines, uint rows, uint finished_below, Block block) {
    if (unit.x == 0u) return;
    uint first = push.finals[unit.plane] + (unit.number - 1u) * rows;
    uint end = last_row(unit) ? rows : rows - finished_below;
    uint y[4] = uint[4](lines.y, lines.y + second_row(lines), lines.y + third_row(lines), lines.y + 3u);
    [[unroll]] for (uint i = 0; i < 4; i++)
        if (y[i] < end) store_scratch((first + y[i]) * QUAD, block.line[i]);
}

// Into the unit's own shaft, and above the one below.
void store_tile(Unit unit, Lines lines, uint rows, uint halo, uint quads, uint quad, Block block) {
    uint shaft = push.tiles[unit.plane] + (unit.number * quads + quad) * (halo + rows);
    store_shaft_lines(lines, shaft + halo + lines.y, block);
    if (lines.y + halo >= rows && !last_row(unit))
        store_shaft_lines(
            lines, shaft + push.mb_width * quads * (halo + rows) + lines.y + halo - rows, block);
}

void long_lines(Unit unit, uint y) {
    Lines lines = lines_of(unit, y);
    uint line = push.line[unit.plane];
    uint at = sample_at(unit, LONG_ROWS, 4u, y, 0u);
    // On the picture's border anything will do: the edge is not filtered.
    uint strip = push.strips[unit.plane] +
                 (unit.number - (unit.x > 0u ? 1u : 0u)) * (LONG_HALO + LONG_ROWS) + LONG_HALO + y;
    Columns p = to_columns(load_shaft_lines(lines, strip));
    Columns q = to_columns(load_lines(lines, at, line));
    long_left_edge(unit, lines, p, q);
    store_final(unit, lines, LONG_ROWS, LONG_FINISHED_BELOW, to_lines(p));
    [[dont_unroll]] for (uint e = 1; e < 4; e++) {
        Place a = place_of(unit, y, 16u);
        Place b = place_of(unit, y + third_row(lines), 16u);
        p = q;
        at += QUAD;
        q = to_columns(load_lines(lines, at, line));
        word_inner_edge(p, q,
                        uvec2(thresholds_of(a.record, unit.plane, INNER_EDGES),
                              thresholds_of(b.record, unit.plane, INNER_EDGES)),
                        uvec2(vertical_strength(a, e, 16u), vertical_strength(b, e, 16u)));
        store_tile(unit, lines, LONG_ROWS, LONG_HALO, 4u, e - 1u, to_lines(p));
    }
    if (last_column(unit)) store_tile(unit, lines, LONG_ROWS, LONG_HALO, 4u, 3u, to_lines(q));
}

#ifdef CHROMA_SUBSAMPLED
void short_lines(Unit unit, uint y) {
    Lines lines = lines_of(unit, y);
    uint line = push.line[unit.plane];
    uint at = sample_at(unit, SHORT_ROWS, 2u, y, 0u);
    uint strip = push.strips[unit.plane] +
                 (unit.number - (unit.x > 0u ? 1u : 0u)) * (SHORT_HALO + SHORT_ROWS) + SHORT_HALO +
                 y;
    Columns p = to_columns(load_shaft_lines(lines, strip));
    Columns q = to_columns(load_lines(lines, at, line));
    short_left_edge(unit, lines, p, q);
    store_final(unit, lines, SHORT_ROWS, SHORT_FINISHED_BELOW, to_lines(p));
    p = q;
    q = to_columns(load_lines(lines, at + QUAD, line));
    short_inner_edge(unit, lines, p, q);
    store_tile(unit, lines, SHORT_ROWS, SHORT_HALO, 2u, 0u, to_lines(p));
    store_tile(unit, lines, SHORT_ROWS, SHORT_HALO, 2u, 1u, to_lines(q));
}
#endif

void main() {
    uint mb_x = group_x();
    Work work = work_of(row_of_work(mb_x));
    if (work.is_long)
        long_lines(unit_of(work.plane, mb_x, work.row / 8u), work.row % 8u * 4u);
#ifdef CHROMA_SUBSAMPLED
    if (work.is_short)
        short_lines(unit_of(work.plane, mb_x, work.row / (SHORT_ROWS / 4u)),
                    work.row % (SHORT_ROWS / 4u) * 4u);
#endif
}
