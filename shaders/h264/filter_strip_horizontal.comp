// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking, second pass. Luma: columns 12 to 15 of each macroblock, all horizontal edges,
// after which the next macroblock's vertical filter may see them. Their last lines are also filtered
// by the macroblock up-right before the macroblock below follows. Chroma: all vertical edges.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#include "h264/filter_edges.glsl"
#ifdef CHROMA_SUBSAMPLED
#include "h264/filter_chroma_vertical.glsl"
#endif

const uint SEGMENT = 3u;

Columns load_rows(uint cell) { return to_rows(load_cell(cell)); }

// The last 4 lines of the strip in macroblock row `mb_y`, after all edges but the one below.
Columns above(Plane plane, uint mb_x, uint mb_y, uint at, uint line) {
    uint record = record_of(mb_x, mb_y);
    uint cell = push.strip + plane.cells + mb_y * 4u * push.mb_width + mb_x + push.mb_width;
    uint strengths = load_strengths(record, HORIZONTAL, SEGMENT);
    uint thresholds = load_word(record, plane.thresholds, INNER);
    Limits limits = limits_of(thresholds);
    Columns p = load_rows(cell);
    cell += push.mb_width;
    Columns q = load_rows(cell);
    edge_before(p, q, limits, thresholds, strengths >> 8 & 15u);
    p = q;
    cell += push.mb_width;
    q = load_rows(cell);
    inner_edge(p, q, limits, thresholds, strengths >> 12 & 15u);

    bool last = mb_x + 1u == push.mb_width;
    record += last ? 0u : 1u;
    strengths = load_strengths(record, VERTICAL, SEGMENT) & 15u;
    strengths = last ? 0u : strengths;
    Columns left = rows_to_columns(q);
    Columns right = to_columns(load_block(at + (last ? 0u : QUAD), line));
    outer_edge(left, right, load_word(record, plane.thresholds, OUTER_LEFT), strengths);
    return columns_to_rows(left);
}

void luma(uint mb_x, uint mb_y) {
    Plane plane = luma_plane(mb_y);
    uint line = plane.line * 4u;
    uint mb_above = max(mb_y, 1u) - 1u; // in the first row the edge between them is not filtered
    uint at = (plane.at + mb_x * QUAD) * 4u + (mb_above * 16u + 12u) * line + 3u * QUAD;
    Columns p = above(plane, mb_x, mb_above, at, line);

    uint record = record_of(mb_x, mb_y);
    uint strengths = load_strengths(record, HORIZONTAL, SEGMENT);
    uint cell = plane.cells + mb_y * 4u * push.mb_width + mb_x;
    Columns q = load_rows(push.strip + cell);
    uvec4 all_thresholds = load_thresholds(record, plane.thresholds);
    outer_edge(p, q, all_thresholds[OUTER_UPPER], strengths & 15u);
    if (mb_y > 0u) store_block(at, line, from_rows(p));
    uint thresholds = all_thresholds[INNER];
    Limits limits = limits_of(thresholds);
    at = mb_y > 0u ? at + line * 4u : at - line * 12u;
    // The last macroblock of a row has no neighbour that would write its strip later.
    bool last = mb_x + 1u == push.mb_width;
    [[unroll]] for (uint e = 1; e < 4; e++) {
        p = q;
        q = load_rows(push.strip + cell + push.mb_width);
        inner_edge(p, q, limits, thresholds, strengths >> e * 4u & 15u);
        Block block = from_rows(p);
        store_cell(push.strip_done + cell, block);
        if (last) store_block(at, line, block);
        cell += push.mb_width;
        at += line * 4u;
    }
    Block block = from_rows(q);
    store_cell(push.strip_done + cell, block);
    if (last && mb_y + 1u == push.mb_height) store_block(at, line, block);
}

void main() {
    uint mb_x = group_x();
    uint row = row_of_work(mb_x);
#ifdef CHROMA_SUBSAMPLED
    if (row < push.chroma_rows * 2u) chroma_vertical(mb_x, row);
    row -= push.chroma_rows * 2u;
#endif
    if (row < push.luma_rows * LUMA_PLANES) luma(mb_x, row);
}
