// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking of MBAFF frames, first pass: the last columns of each unit after the vertical
// edges at 8 and 12, as far as they depend on these. Chroma's strips are no more than copied.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#include "h264/filter_mbaff_units.glsl"

void main() {
    uint mb_x = group_x();
    Work work = work_of(row_of_work(mb_x));
    if (work.is_long) {
        Unit unit = unit_of(work.plane, mb_x, work.row / 16u);
        Lines lines = lines_of(unit, work.row % 16u);
        uint at = sample_at(unit, LONG_ROWS, 4u, lines.y, 1u);
        uint line = of_plane(push.line, unit.plane);
        Place place = place_of(unit, lines.y, 16u);
        uint thresholds = thresholds_of(place.record, unit.plane, INNER_EDGES);
        Limits limits = limits_of(thresholds);
        Columns p = load_lines(lines, at, line);
        Columns q = load_lines(lines, at + QUAD, line);
        edge_before(p, q, limits, thresholds, vertical_strength(place, 2u, 16u));
        p = q;
        q = load_lines(lines, at + 2u * QUAD, line);
        inner_edge(p, q, limits, thresholds, vertical_strength(place, 3u, 16u));
        uint shaft = of_plane(push.strips, unit.plane) + unit.number * (LONG_HALO + LONG_ROWS);
        store_twice(unit, lines, LONG_ROWS, LONG_HALO, shaft, push.mb_width, q);
    }
#ifdef CHROMA_SUBSAMPLED
    if (work.is_short) {
        Unit unit = unit_of(work.plane, mb_x, work.row / (SHORT_ROWS / 2u));
        Lines lines = Lines(work.row % (SHORT_ROWS / 2u) * 2u, 1u);
        uint at = sample_at(unit, SHORT_ROWS, 2u, lines.y, 1u);
        uint shaft = of_plane(push.strips, unit.plane) + unit.number * (SHORT_HALO + SHORT_ROWS);
        store_twice(unit, lines, SHORT_ROWS, SHORT_HALO, shaft, push.mb_width,
                    load_lines(lines, at, of_plane(push.line, unit.plane)));
    }
#endif
}
