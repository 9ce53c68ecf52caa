// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_MBAFF_UNITS_GLSL
#define H264_MBAFF_UNITS_GLSL

#define MBAFF
#include "h264/deblock_edges.glsl"

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

// Where a quad of the picture is; y is a row of the unit, quads a unit's width.
uint sample_at(Unit unit, uint rows, uint quads, uint y, uint quad) {
    return push.plane[unit.plane] + (unit.y * rows + y) * push.line[unit.plane] +
           (unit.x * quads + quad) * QUAD;
}

// -- lines: four rows of a unit, for vertical edges ---------------------------------------------

// Rows that alternate between two macroblocks, or two macroblocks on the left, are loaded as 0, 2,
// 1, 3, so that a word of two lines has one set of thresholds.
struct Lines {
    uint y;
    bool interleaved;
};

Lines lines_of(Unit unit, uint y) {
    uint flags = flags_of(unit) | arena[unit.record + MB + MB_FLAGS];
    return Lines(y, (flags & (MBAFF_FIELD | MBAFF_ALTERNATE)) != 0u);
}

uint second_row(Lines lines) { return lines.interleaved ? 2u : 1u; }
uint third_row(Lines lines) { return lines.interleaved ? 1u : 2u; }

Block load_lines(Lines lines, uint at, uint line) {
    Block block;
    block.line[0] = load_samples(at);
    block.line[1] = load_samples(at + second_row(lines) * line);
    block.line[2] = load_samples(at + third_row(lines) * line);
    block.line[3] = load_samples(at + 3u * line);
    return block;
}

Block load_shaft_lines(Lines lines, uint at) {
    Block block;
    block.line[0] = load_scratch(at * QUAD);
    block.line[1] = load_scratch((at + second_row(lines)) * QUAD);
    block.line[2] = load_scratch((at + third_row(lines)) * QUAD);
    block.line[3] = load_scratch((at + 3u) * QUAD);
    return block;
}

void store_shaft_lines(Lines lines, uint at, Block block) {
    store_scratch(at * QUAD, block.line[0]);
    store_scratch((at + second_row(lines)) * QUAD, block.line[1]);
    store_scratch((at + third_row(lines)) * QUAD, block.line[2]);
    store_scratch((at + 3u) * QUAD, block.line[3]);
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

// -- edges whose two words differ in strength and thresholds --------------------------------------

Limits word_limits(uvec2 thresholds) {
    uvec2 alpha = uvec2(alpha_of(thresholds.x), alpha_of(thresholds.y)) * ONES;
    uvec2 beta = uvec2(beta_of(thresholds.x), beta_of(thresholds.y)) * ONES;
    return Limits(limit_add(alpha), limit_top_or_none(alpha), limit_add(beta), limit_top(beta));
}

Limits filtered_word_limits(uvec2 thresholds, uvec2 strengths) {
    Limits limits = word_limits(thresholds);
    limits.alpha_top = mix(limits.alpha_top, uvec2(NO_LINE), equal(strengths, uvec2(0)));
    return limits;
}

uvec2 word_tc0(uvec2 thresholds, uvec2 strengths) {
    return uvec2(tc0_of(thresholds.x, strengths.x), tc0_of(thresholds.y, strengths.y));
}

void word_inner_edge(inout Columns p, inout Columns q, uvec2 thresholds, uvec2 strengths) {
    Flags flags = edge_flags(p, q, filtered_word_limits(thresholds, strengths));
    filter_normal(flags, p.column[1], p.column[2], p.column[3], q.column[0], q.column[1],
                  q.column[2], word_tc0(thresholds, strengths), flags.p + flags.q);
}

void word_edge_before(Columns p, inout Columns q, uvec2 thresholds, uvec2 strengths) {
    q.column[1] = filter_normal_q1(p.column[2], p.column[3], q.column[0], q.column[1], q.column[2],
                                   filtered_word_limits(thresholds, strengths),
                                   word_tc0(thresholds, strengths));
}

void word_outer_edge(inout Columns p, inout Columns q, uvec2 thresholds, uvec2 strengths) {
    Flags flags = edge_flags(p, q, filtered_word_limits(thresholds, strengths));
    bvec2 strong = equal(strengths, uvec2(4));
    filter_normal(flags, p.column[1], p.column[2], p.column[3], q.column[0], q.column[1],
                  q.column[2], mix(word_tc0(thresholds, strengths), uvec2(0), strong),
                  mix(flags.p + flags.q, uvec2(0), strong));
    if (any(strong)) {
        flags.line = mix(uvec2(0), flags.line, strong);
        flags.p = mix(uvec2(0), flags.p, strong);
        flags.q = mix(uvec2(0), flags.q, strong);
        uvec2 near = uvec2(alpha_of(thresholds.x), alpha_of(thresholds.y)) >> 2;
        filter_strong(flags, p.column[0], p.column[1], p.column[2], p.column[3], q.column[0],
                      q.column[1], q.column[2], q.column[3], (near + 2u) * ONES);
    }
}

// The left edge of rows y to y + 3 in a plane filtered as luma.
void long_left_edge(Unit unit, Lines lines, inout Columns p, inout Columns q) {
    uvec2 a = left_edge(unit, place_of(unit, lines.y, 16u), 16u);
    uvec2 b = left_edge(unit, place_of(unit, lines.y + third_row(lines), 16u), 16u);
    word_outer_edge(p, q, uvec2(a.y, b.y), uvec2(a.x, b.x));
}

#endif
