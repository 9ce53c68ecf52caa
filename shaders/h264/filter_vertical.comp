// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking, third pass: luma's vertical edges at columns 0, 4 and 8 on whole lines; the one
// at 12 comes from the first pass, the left macroblock's last columns from the second. Chroma: all
// horizontal edges.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#include "h264/filter_edges.glsl"
#ifdef CHROMA_SUBSAMPLED
#include "h264/filter_chroma_horizontal.glsl"
#endif

void luma(uint mb_x, uint row) {
    Plane plane = luma_plane(row);
    uint record = record_of(mb_x, row >> 2);
    uint strengths = load_strengths(record, VERTICAL, row & 3u);
    uvec4 thresholds = load_thresholds(record, plane.thresholds);
    uint outer = thresholds[OUTER_LEFT], inner = thresholds[INNER];
    uint line = plane.line * 4u;
    uint at = (plane.at + row * 4u * plane.line + mb_x * QUAD) * 4u;
    uint cell = plane.cells + row * push.mb_width + mb_x;

    Columns p = to_columns(load_cell(push.strip_done + cell - 1u));
    Columns q = to_columns(load_block(at, line));
    outer_edge(p, q, outer, strengths & 15u);
    // The last 4 lines of a strip are finished already, but in the last row of macroblocks. In the
    // row above a band nothing may be written that is not what stands there, not even for a while.
    bool strip = mb_x > 0u && ((row & 3u) != 3u || row + 1u == push.mb_height * 4u);
    if (strip) store_block(at - QUAD, line, to_lines(p));

    uint tile = push.tile + plane.tiles + row * push.tile_pitch + tile_of(mb_x);
    Limits limits = limits_of(inner);
    p = q;
    q = to_columns(load_block(at + QUAD, line));
    inner_edge(p, q, limits, inner, strengths >> 4 & 15u);
    store_cell(tile, to_lines(p));
    p = q;
    q = to_columns(load_block(at + 2u * QUAD, line));
    inner_edge(p, q, limits, inner, strengths >> 8 & 15u);
    store_cell(tile + TILE, to_lines(p));
    store_cell(tile + 2u * TILE, with_first_column(load_cell(push.inner + cell), q.column[0]));
}

void main() {
    uint mb_x = group_x();
    uint row = row_of_work(mb_x);
#ifdef CHROMA_SUBSAMPLED
    if (row < push.chroma_rows * 2u) chroma_horizontal(mb_x, row);
    row -= push.chroma_rows * 2u;
#endif
    if (row < push.luma_rows * LUMA_PLANES) luma(mb_x, row);
}
