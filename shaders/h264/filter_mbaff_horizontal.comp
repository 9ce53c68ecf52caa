// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking of MBAFF frames, fourth pass: the horizontal edges of four columns of a unit, and
// all samples into the picture.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#include "h264/filter_mbaff_shafts.glsl"

void long_columns(Unit unit, uint quad) {
    uint shaft = LONG_HALO + LONG_ROWS;
    uint row_0 = of_plane(push.tiles, unit.plane) + (unit.number * 4u + quad) * shaft + LONG_HALO;
    uint first = 0u, end = LONG_ROWS; // of the rows to store
    if (quad == 3u && !last_column(unit)) {
        row_0 = of_plane(push.finals, unit.plane) + unit.number * LONG_ROWS;
    } else {
        if (unit.y > 0u)
            long_tail(unit_of(unit.plane, unit.x, unit.y - 1u), row_0 * QUAD, quad);
        long_edges(unit, row_0 * QUAD, quad);
        first -= unit.y > 0u ? LONG_FINISHED_BELOW : 0u;
        end -= last_row(unit) ? 0u : LONG_FINISHED_BELOW;
    }
    uint line = of_plane(push.line, unit.plane);
    uint at = sample_at(unit, LONG_ROWS, 4u, first, quad);
    [[dont_unroll]] for (uint y = first; y != end; y++) {
        store_samples(at, load_scratch((row_0 + y) * QUAD));
        at += line;
    }
}

#ifdef CHROMA_SUBSAMPLED
// The first two columns of one, the last two of the other.
Quad joined(Quad left, Quad right) {
#ifdef HIGH_DEPTH
    return uvec2(left.x, right.y);
#else
    return (left & 0xffffu) + (right & 0xffff0000u);
#endif
}

void short_columns(Unit unit, uint quad) {
    uint shaft = SHORT_HALO + SHORT_ROWS;
    uint row_0 = of_plane(push.tiles, unit.plane) + (unit.number * 2u + quad) * shaft + SHORT_HALO;
    if (unit.y > 0u) short_tail(unit_of(unit.plane, unit.x, unit.y - 1u), row_0 * QUAD, quad);
    short_edges(unit, row_0 * QUAD, quad);
    uint first = unit.y > 0u ? 0u - SHORT_FINISHED_BELOW : 0u;
    uint end = last_row(unit) ? SHORT_ROWS : SHORT_ROWS - SHORT_FINISHED_BELOW;
    uint line = of_plane(push.line, unit.plane);
    uint at = sample_at(unit, SHORT_ROWS, 2u, first, quad);
    bool strip = quad == 1u && !last_column(unit);
    uint done = of_plane(push.finals, unit.plane) + unit.number * SHORT_ROWS;
    uint done_above = done - (push.mb_width - 1u) * SHORT_ROWS;
    [[dont_unroll]] for (uint y = first; y != end; y++) {
        Quad samples_of_row = load_scratch((row_0 + y) * QUAD);
        if (strip)
            samples_of_row = joined(
                samples_of_row, load_scratch(((int(y) < 0 ? done_above : done) + y) * QUAD));
        store_samples(at, samples_of_row);
        at += line;
    }
}
#endif

void main() {
    uint mb_x = group_x();
    Work work = work_of(row_of_work(mb_x));
    // What needs most registers comes last, when nothing else occupies any.
#ifdef CHROMA_SUBSAMPLED
    if (work.is_short) short_columns(unit_of(work.plane, mb_x, work.row / 2u), work.row % 2u);
#endif
    if (work.is_long) long_columns(unit_of(work.plane, mb_x, work.row / 4u), work.row % 4u);
}
