// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_CHROMA_VERTICAL_GLSL
#define H264_FILTER_CHROMA_VERTICAL_GLSL

#include "h264/filter_chroma.glsl"

// Groups of 4 lines that an invocation does: two share the limits, but in other formats than the most
// common one there are not enough registers for it.
#if defined(HIGH_DEPTH) || defined(CHROMA_422)
const uint AT_ONCE = 1u;
#else
const uint AT_ONCE = 2u;
#endif

// Strengths of group `g` of a macroblock: of an edge at bits 0 to 3 of .x for the first two lines, .y
// for the others.
uvec2 line_strengths(uint record, uint g) {
#ifdef CHROMA_422
    return uvec2(load_strengths(record, VERTICAL, g));
#else
    uint word = load_word(record, 0u, VERTICAL + g);
    return uvec2(word, word >> 16);
#endif
}

uvec2 line_tc(uint tcs, uvec2 strengths) {
    return uvec2(chroma_tc(tcs, strengths.x & 15u), chroma_tc(tcs, strengths.y & 15u)) * ONES;
}

struct VerticalEdges {
    Limits outer, inner;
    uint outer_tcs, inner_tcs;
};

// 4 lines. at: the first; strip: of the macroblock on the left; finished: where that is put;
// cell: where the lines are.
void vertical_group(VerticalEdges edges, uvec2 strengths, uint at, uint line, uint strip,
                    uint finished, uint cell) {
    Block block[2];
    [[unroll]] for (uint i = 0; i < 4; i++)
        [[unroll]] for (uint q = 0; q < 2; q++)
            block[q].line[i] = load_samples(at + i * line + q * QUAD);
    Columns a = to_columns(block[0]);
    Columns b = first_columns(block[1]);
    chroma_inner_edge(a.column[2], a.column[3], b.column[0], b.column[1], edges.inner,
                      line_tc(edges.inner_tcs, strengths >> 8));
    uvec4 left = load_quad(strip);
    uvec2 p1 = low_halves(left.xz, left.yw);
    uvec2 p0 = high_halves(left.xz, left.yw);
    chroma_outer_edge(p1, p0, a.column[0], a.column[1], edges.outer,
                      line_tc(edges.outer_tcs, strengths), (strengths.x & 15u) == 4u);
#ifdef HIGH_DEPTH
    uvec2 even = low_halves(p1, p0);
    uvec2 odd = high_halves(p1, p0);
#else
    uvec2 even = (p1 << 16) + (p0 << 24);
    uvec2 odd = p1 + (p0 << 8) & 0xffff0000u;
#endif
    store_quad(finished, uvec4(even.x, odd.x, even.y, odd.y));
    store_cell(cell, to_lines(a));
    store_cell(cell + push.mb_width, with_first_column(without_first_column(block[1]), b.column[0]));
}

// Some lines of a macroblock, and what their vertical edges change of the one on the left.
void chroma_vertical(uint mb_x, uint row) {
    ChromaPlane plane = chroma_plane(row);
    row *= AT_ONCE;
    uint record = record_of(mb_x, row / GROUPS);
    uvec4 thresholds = load_thresholds(record, plane.thresholds);
    uint outer = thresholds[OUTER_LEFT], inner = thresholds[INNER];
    VerticalEdges edges = VerticalEdges(limits_of(outer), limits_of(inner), chroma_tcs(outer),
                                        chroma_tcs(inner));
    uint line = plane.line * 4u;
    uint at = (plane.at + row * 4u * plane.line) * 4u + mb_x * 2u * QUAD;
    uint number = plane.first * GROUPS + row * push.mb_width + mb_x;
    uint strip = push.chroma_strip + number - 1u;
    uint finished = final_strip(plane, row, mb_x) - 1u;
    uint cell = push.chroma_tile + number * 2u - mb_x;
    uint g = row % GROUPS;
    vertical_group(edges, line_strengths(record, g), at, line, strip, finished, cell);
#if !defined(HIGH_DEPTH) && !defined(CHROMA_422)
    vertical_group(edges, line_strengths(record, g + 1u), at + line * 4u, line,
                   strip + push.mb_width, finished + push.mb_width + 1u,
                   cell + push.mb_width * 2u);
#endif
}

#endif
