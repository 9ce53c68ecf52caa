// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking of MBAFF frames, second pass: the horizontal edges of each unit's last columns.
// The rows above see the left edge of the unit up-right first.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#include "h264/filter_mbaff_shafts.glsl"
#ifdef CHROMA_SUBSAMPLED
#include "h264/filter_mbaff_chroma_lines.glsl"
#endif

// Two rows of the unit above, whose strip begins at `strip`.
void long_right_edge(Unit right, uint strip, uint index) {
    Lines lines = lines_of(right, index);
    Columns p = load_shaft_lines(lines, strip + lines.y);
    Columns q = load_lines(lines, sample_at(right, LONG_ROWS, 4u, lines.y, 0u),
                           of_plane(push.line, right.plane));
    long_left_edge(right, lines, p, q);
    Quad first, second;
    to_lines(p, first, second);
    store_shaft_lines(lines, strip + lines.y, first, second);
}

void long_strip(Unit unit) {
    uint row_0 = of_plane(push.strips, unit.plane) + unit.number * (LONG_HALO + LONG_ROWS) + LONG_HALO;
    if (unit.y > 0u) {
        long_tail(unit_of(unit.plane, unit.x, unit.y - 1u), row_0 * QUAD, 3u);
        Unit right = unit_of(unit.plane, unit.x + 1u, unit.y - 1u);
        // Field mode reads 6 rows; two more do no harm in a shaft of its own.
        [[dont_unroll]] for (uint index = 12u; index < 16u; index++)
            long_right_edge(right, row_0 - LONG_ROWS, index);
    }
    long_edges(unit, row_0 * QUAD, 3u);
    if (unit.y > 0u) {
        uint done = of_plane(push.finals, unit.plane) + (unit.number - push.mb_width + 1u) * LONG_ROWS;
        [[unroll]] for (uint i = 1u; i <= LONG_FINISHED_BELOW; i++)
            store_scratch((done - i) * QUAD, load_scratch((row_0 - i) * QUAD));
    }
}

#ifdef CHROMA_SUBSAMPLED
void short_right_edge(Unit right, uint strip, uint index) {
    Lines lines = lines_of(right, index);
    Columns p = load_shaft_lines(lines, strip + lines.y);
    Columns q = load_lines(lines, sample_at(right, SHORT_ROWS, 2u, lines.y, 0u),
                           of_plane(push.line, right.plane));
    short_left_edge(right, lines, p, q);
    Quad first, second;
    to_lines(p, first, second);
    store_shaft_lines(lines, strip + lines.y, first, second);
}

void short_strip(Unit unit) {
    uint row_0 = of_plane(push.strips, unit.plane) + unit.number * (SHORT_HALO + SHORT_ROWS) + SHORT_HALO;
    if (unit.y > 0u) {
        short_tail(unit_of(unit.plane, unit.x, unit.y - 1u), row_0 * QUAD, 1u);
        Unit right = unit_of(unit.plane, unit.x + 1u, unit.y - 1u);
        [[dont_unroll]] for (uint index = SHORT_ROWS / 2u - 2u; index < SHORT_ROWS / 2u; index++)
            short_right_edge(right, row_0 - SHORT_ROWS, index);
    }
    short_edges(unit, row_0 * QUAD, 1u);
    if (unit.y > 0u) {
        uint done = of_plane(push.finals, unit.plane) + (unit.number - push.mb_width + 1u) * SHORT_ROWS;
        [[unroll]] for (uint i = 1u; i <= SHORT_FINISHED_BELOW; i++)
            store_scratch((done - i) * QUAD, load_scratch((row_0 - i) * QUAD));
    }
}
#endif

void main() {
    uint mb_x = group_x();
    Work work = work_of(row_of_work(mb_x));
    Unit unit = unit_of(work.plane, mb_x, work.row);
    // Nothing stands to the right of the last column: it has no strip. What needs most registers
    // comes last, when nothing else occupies any.
#ifdef CHROMA_SUBSAMPLED
    if (work.is_short && !last_column(unit)) short_strip(unit);
#endif
    if (work.is_long && !last_column(unit)) long_strip(unit);
}
