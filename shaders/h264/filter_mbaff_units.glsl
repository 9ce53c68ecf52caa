// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_MBAFF_UNITS_GLSL
#define H264_FILTER_MBAFF_UNITS_GLSL

#define MBAFF
#include "h264/filter_edges.glsl"

// Deblocking of MBAFF frames (tests/order/README.md, section 2). A unit is a macroblock pair; its
// rows are those of the picture, whether its macroblocks are frame or field macroblocks.

const uint MB = 24u; // words of a record
const uint VERTICAL = 0u, HORIZONTAL = 2u, CHROMA = 4u, LEFT = 6u, TOP = 7u, MB_FLAGS = 8u;
const uint THRESHOLDS = 9u, PLANE_THRESHOLDS = 5u;
const uint LEFT_EDGE = 0u, UPPER_EDGE = 2u, INNER_EDGES = 4u;

// Planes filtered as luma, and subsampled chroma.
#ifdef CHROMA_444
const uint LONG_PLANES = 3u;
#else
const uint LONG_PLANES = 1u;
#endif
const uint LONG_ROWS = 32u, LONG_HALO = 20u, LONG_FINISHED_BELOW = 4u;
#ifdef CHROMA_422
const uint SHORT_ROWS = 32u, SHORT_EDGES = 4u;
#else
const uint SHORT_ROWS = 16u, SHORT_EDGES = 2u;
#endif
const uint SHORT_HALO = 8u, SHORT_FINISHED_BELOW = 2u;

// What a dispatch's row of work belongs to.
struct Work {
    uint plane;
    uint row; // of the plane
    bool is_long, is_short;
};

Work work_of(uint row) {
    const uint long_rows = push.luma_rows * LONG_PLANES;
    if (row < long_rows) {
        uint plane = row < push.luma_rows ? 0u : row < push.luma_rows * 2u ? 1u : 2u;
        return Work(plane, row - plane * push.luma_rows, true, false);
    }
    row -= long_rows;
    uint plane = row < push.chroma_rows ? 1u : 2u;
    return Work(plane, row - (plane - 1u) * push.chroma_rows, false, row < push.chroma_rows * 2u);
}

struct Unit {
    uint plane, x, y;
    uint number;
    uint record; // of the first macroblock
};

Unit unit_of(uint plane, uint x, uint y) {
    uint number = y * push.mb_width + x;
    return Unit(plane, x, y, number, push.records + number * MB * 2u);
}

bool last_column(Unit unit) { return unit.x + 1u == push.mb_width; }

bool last_row(Unit unit) { return unit.y + 1u == push.pair_height; }

uint flags_of(Unit unit) { return arena[unit.record + MB_FLAGS]; }

uint thresholds_of(uint record, uint plane, uint kind) {
    return arena[record + THRESHOLDS + plane * PLANE_THRESHOLDS + kind];
}

// Not by the plane as index: from push constants that a shader indexes by something that is not constant, v3dv
// (Mesa 25.0.7) reads and writes behind its buffer after 4096 bytes of them in a command buffer.
uint of_plane(uint values[3], uint plane) {
    return plane == 0u ? values[0] : plane == 1u ? values[1] : values[2];
}

// Where a quad of the picture is; y is a row of the unit, quads a unit's width.
uint sample_at(Unit unit, uint rows, uint quads, uint y, uint quad) {
    return of_plane(push.plane, unit.plane) + (unit.y * rows + y) * of_plane(push.line, unit.plane) +
           (unit.x * quads + quad) * QUAD;
}

// -- lines: two rows of a unit, for vertical edges ------------------------------------------------

// Rows y and y + step. Where rows alternate between two macroblocks, or between two macroblocks on
// the left, they are every other row, and so have one set of thresholds.
struct Lines {
    uint y, step;
};

Lines lines_of(Unit unit, uint index) {
    uint flags = flags_of(unit) | arena[unit.record + MB + MB_FLAGS];
    if ((flags & (MBAFF_FIELD | MBAFF_ALTERNATE)) != 0u)
        return Lines((index & ~1u) * 2u + (index & 1u), 2u);
    return Lines(index * 2u, 1u);
}

Columns load_lines(Lines lines, uint at, uint line) {
    return to_columns(load_samples(at), load_samples(at + lines.step * line));
}

Columns load_shaft_lines(Lines lines, uint at) {
    return to_columns(load_scratch(at * QUAD), load_scratch((at + lines.step) * QUAD));
}

void store_shaft_lines(Lines lines, uint at, Quad first, Quad second) {
    store_scratch(at * QUAD, first);
    store_scratch((at + lines.step) * QUAD, second);
}

// A row's macroblock and which of its lines it is.
struct Place {
    uint record, line, flags;
};

Place place_of(Unit unit, uint y, uint mb_lines) {
    uint flags = flags_of(unit);
    bool field = (flags & MBAFF_FIELD) != 0u;
    uint m = field ? y & 1u : y / mb_lines;
    uint record = unit.record + m * MB;
    return Place(record, field ? y >> 1 : y % mb_lines, arena[record + MB_FLAGS]);
}

// The left edge there: strength and thresholds.
uvec2 left_edge(Unit unit, Place place, uint mb_lines) {
    bool alternate = (place.flags & MBAFF_ALTERNATE) != 0u;
    uint group = place.line; // in 8 lines of chroma
    if (mb_lines == 16u)
        group = alternate ? (place.line >> 2) * 2u + (place.line & 1u) : place.line >> 1;
    uint neighbour = alternate ? place.line & 1u : place.line / (mb_lines / 2u);
    return uvec2(arena[place.record + LEFT] >> group * 4u & 15u,
                 thresholds_of(place.record, unit.plane, LEFT_EDGE + neighbour));
}

uint vertical_strength(Place place, uint edge, uint mb_lines) {
    uint segment = place.line / (mb_lines / 4u);
    return arena[place.record + VERTICAL + (segment >> 1)] >> (segment & 1u) * 16u + edge * 4u & 15u;
}

// The left edge of two rows in a plane filtered as luma; they have one strength.
void long_left_edge(Unit unit, Lines lines, inout Columns p, inout Columns q) {
    uvec2 edge = left_edge(unit, place_of(unit, lines.y, 16u), 16u);
    outer_edge(p, q, edge.y, edge.x);
}

// Into the unit's shaft, and into the halo of the shaft below, `below` shafts further.
void store_twice(Unit unit, Lines lines, uint rows, uint halo, uint shaft, uint below,
                 Columns columns) {
    Quad first, second;
    to_lines(columns, first, second);
    store_shaft_lines(lines, shaft + halo + lines.y, first, second);
    if (lines.y + halo >= rows && !last_row(unit))
        store_shaft_lines(lines, shaft + below * (halo + rows) + lines.y + halo - rows, first,
                          second);
}

#endif
