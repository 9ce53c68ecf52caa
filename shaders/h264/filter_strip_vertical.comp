// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking, first pass. Luma: the vertical edges at columns 8 and 12 of each macroblock, as
// far as columns 9 to 15 depend on them; what is left of column 8 changes none of these (ITU-T
// H.264 8.7.2.3: q1 does not depend on p2). Chroma: the last columns' horizontal edges.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#include "h264/filter_edges.glsl"
#ifdef CHROMA_SUBSAMPLED
#include "h264/filter_chroma_strip.glsl"
#endif

// Four lines. at: the first, at column 4.
void luma_lines(uint at, uint line, uint cell, Limits limits, uint thresholds, uint strengths) {
    Block block[3];
    [[unroll]] for (uint i = 0; i < 4; i++)
        [[unroll]] for (uint q = 0; q < 3; q++)
            block[q].line[i] = load_samples(at + i * line + q * QUAD);
    Columns p = to_columns(block[0]);
    Columns q = to_columns(block[1]);
    edge_before(p, q, limits, thresholds, strengths >> 8 & 15u);
    p = q;
    q = to_columns(block[2]);
    inner_edge(p, q, limits, thresholds, strengths >> 12 & 15u);
    p.column[0] = uvec2(0);
    store_cell(push.inner + cell, to_lines(p));
    store_cell(push.strip + cell, to_lines(q));
}

// Eight lines: two segments share their limits and a word of strengths.
void luma(uint mb_x, uint row) {
    Plane plane = luma_plane(row);
    uint record = record_of(mb_x, row >> 1);
    uint strengths = load_word(record, 0u, VERTICAL + (row & 1u));
    uint thresholds = load_word(record, plane.thresholds, INNER);
    uint line = plane.line * 4u;
    uint at = (plane.at + row * 8u * plane.line + mb_x * QUAD) * 4u + QUAD;
    Limits limits = limits_of(thresholds);
    uint cell = plane.cells + row * 2u * push.mb_width + mb_x;
    luma_lines(at, line, cell, limits, thresholds, strengths);
    luma_lines(at + line * 4u, line, cell + push.mb_width, limits, thresholds, strengths >> 16);
}

void main() {
    uint mb_x = group_x();
    uint row = row_of_work(mb_x);
#ifdef CHROMA_SUBSAMPLED
    if (row < push.chroma_rows * 2u) chroma_strip(mb_x, row);
    row -= push.chroma_rows * 2u;
#endif
    if (row < push.luma_rows * LUMA_PLANES) luma(mb_x, row);
}
