// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking, fourth pass: luma's horizontal edges on columns 0 to 11. An invocation has 4
// columns and walks down a slab of macroblock rows. Before its first macroblock it filters the lower
// half of the one above, whose lines 9 to 15 do not depend on what is further up.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#include "h264/filter_edges.glsl"

Columns next_rows(inout uint tile) {
    tile += push.tile_pitch;
    return to_rows(load_cell(tile));
}

// Nothing is stored for macroblocks that are not there: above the picture, below it, beside it.
bool stores(uint record) { return record < push.all_numbers; }

uint strengths_of(uint record) {
    return load_strengths(push.records + (record >> 4), HORIZONTAL, record & 3u);
}

// Words from line to line. Planes of 4:4:4 may differ in it; `record` knows which one this is, and a
// register is saved.
#ifdef CHROMA_444
uint line_of(uint record) {
    uint plane = record >> 2 & 3u;
    return (plane == CR ? push.row_2 : plane == CB ? push.row_1 : push.row_0) * 4u;
}

uint thresholds_of(uint record, uint word) {
    return load_word(push.records + (record >> 4), record >> 2 & 3u, word);
}
#else
uint line_of(uint record) { return push.line_0; }

uint thresholds_of(uint record, uint word) {
    return load_word(push.records + (record >> 4), LUMA, word);
}
#endif

// The loops have the same bounds for all, so that V3D needs no masks for them: the last slab may
// reach below the picture, where it filters and stores nothing. Which rows are there follows from
// `record` alone, as registers are what this pass is short of: the number of a macroblock, above four
// bits for the plane's thresholds and the segment.
void main() {
    // 16 invocations, a vector of V3D's, stand in one slab.
    uint block = gl_WorkGroupID.x * 16u + (gl_LocalInvocationIndex >> 4);
    uint slab = min(block * push.slab_scale >> 20, push.luma_rows * LUMA_PLANES - 1u);
    uint x = (block - slab * push.slab_blocks) * 16u + (gl_LocalInvocationIndex & 15u);
    Plane plane = luma_plane(slab);
    uint four = (x >> 2) * 43691u >> 17; // x / 12: macroblocks, below 2^15
    uint mb_x = four * 4u + (x & TILE - 1u);
    uint segment = (x >> 2) - four * 3u;
    uint mb_y = slab * push.slab;
    uint tile = push.tile + plane.tiles + (mb_y * 4u - 3u) * push.tile_pitch + x;
    uint at = (plane.at + mb_x * QUAD) * 4u + (mb_y * 16u - 4u) * plane.line * 4u + segment * QUAD;
    uint record = mb_x < push.mb_width
                      ? (mb_y * push.mb_width + mb_x) * 16u + plane.thresholds * 4u + segment
                      : 0x80000000u;

    // Above the picture this reads other parts of the scratch buffer, and the first edge below is
    // not filtered.
    Columns p = to_rows(load_cell(tile));
    Columns q = next_rows(tile);
    {
        uint above = min(record - (mb_y == 0u ? 0u : push.number_pitch), push.last_number);
        uint strengths = strengths_of(above);
        uint thresholds = thresholds_of(above, INNER);
        Limits limits = limits_of(thresholds);
        edge_before(p, q, limits, thresholds, strengths >> 8 & 15u);
        p = q;
        q = next_rows(tile);
        inner_edge(p, q, limits, thresholds, strengths >> 12 & 15u);
    }
    for (uint r = 0; r < push.slab; r++) {
        uint present = min(record, push.last_number);
        uint strengths = strengths_of(present);
        strengths = stores(record) ? strengths : 0u;
        p = q;
        q = next_rows(tile);
        outer_edge(p, q, thresholds_of(present, OUTER_UPPER), strengths & 15u);
        if (stores(record - push.number_pitch)) store_block(at, line_of(record), from_rows(p));
        at += line_of(record) * 4u;
        uint thresholds = thresholds_of(min(record, push.last_number), INNER);
        Limits limits = limits_of(thresholds);
        [[dont_unroll]] for (uint e = 1; e < 4; e++) {
            strengths >>= 4;
            p = q;
            q = next_rows(tile);
            inner_edge(p, q, limits, thresholds, strengths & 15u);
            if (stores(record)) store_block(at, line_of(record), from_rows(p));
            at += line_of(record) * 4u;
        }
        record += push.number_pitch;
    }
    // A slab that ends with the picture: no macroblock below has stored this.
    if (stores(record - push.number_pitch) && !stores(record))
        store_block(at, line_of(record), from_rows(q));
}
