// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_CHROMA_HORIZONTAL_GLSL
#define H264_FILTER_CHROMA_HORIZONTAL_GLSL

#include "h264/filter_chroma.glsl"

void store_line(uint at, Quad left, Quad right, uint strip) {
    store_samples(at, left);
    store_samples(at + QUAD, with_strip(right, strip));
}

// Two horizontal edges of a macroblock, on columns 0 to 5; columns 6 and 7 are ready. Writes the line
// above the first and all but the last of the 8 lines from it on.
void chroma_horizontal(uint mb_x, uint row) {
    ChromaPlane plane = chroma_plane(row);
    uint mb_y = row / (GROUPS / 2u);
    uint half_shift = row % (GROUPS / 2u) * 8u; // of strengths
    bool outer = half_shift == 0u;
    uint record = record_of(mb_x, mb_y);
    uvec4 thresholds = load_thresholds(record, plane.thresholds);
    uint upper = outer ? thresholds[OUTER_UPPER] : thresholds[INNER], inner = thresholds[INNER];
    uvec2 strengths = uvec2(load_word(record, CB, CHROMA_STRENGTHS),
                            load_word(record, CR, CHROMA_STRENGTHS)) >> half_shift;
    uint line = plane.line * 4u;
    uint at = (plane.at + row * 8u * plane.line) * 4u + mb_x * 2u * QUAD;

    // In the first row of macroblocks anything will do above: the edge is not filtered.
    uint pitch = push.mb_width * 2u;
    uint cell = push.chroma_tile + plane.first * GROUPS * 2u + row * 2u * pitch + mb_x;
    uint above = cell - (row == 0u ? 0u : pitch);
    uint strip = final_strip(plane, row * 2u, mb_x);
    uint strip_above = outer ? push.chroma_bottom + plane.first + mb_y * push.mb_width + mb_x
                             : (strip - push.mb_width - 1u) * 4u + 3u;
    Limits limits = limits_of(upper);
    uint tcs = chroma_tcs(upper);
    Block p[2] = {load_cell(above), load_cell(above + push.mb_width)};
    uint last_strip = scratch[strip_above];
    [[unroll]] for (uint g = 0; g < 2; g++) {
        Block q[2] = {load_cell(cell), load_cell(cell + push.mb_width)};
        uvec4 strips = load_quad(strip);
        [[unroll]] for (uint i = 0; i < 2; i++) {
            uvec2 p1 = to_row(p[i].line[2]);
            uvec2 p0 = to_row(p[i].line[3]);
            uvec2 q0 = to_row(q[i].line[0]);
            uvec2 q1 = to_row(q[i].line[1]);
            if (g == 0)
                chroma_outer_edge(p1, p0, q0, q1, limits, row_tc(tcs, strengths[i]),
                                  (strengths[i] & 15u) == 4u);
            else
                chroma_inner_edge(p1, p0, q0, q1, limits,
                                  row_tc(tcs, strengths[i] >> edge_shift(1u)));
            p[i].line[3] = from_row(p0);
            q[i].line[0] = from_row(q0);
        }
        if (g > 0 || row > 0u) store_line(at - line, p[0].line[3], p[1].line[3], last_strip);
        [[unroll]] for (uint i = 0; i < 3; i++) {
            store_line(at, q[0].line[i], q[1].line[i], strips[i]);
            at += line;
        }
        at += line;
        last_strip = strips.w;
        p = q;
        cell += pitch;
        strip += push.mb_width + 1u;
        limits = limits_of(inner);
        tcs = chroma_tcs(inner);
    }
    if ((row + 1u) * 2u == push.mb_height * GROUPS)
        store_line(at - line, p[0].line[3], p[1].line[3], last_strip);
}

#endif
