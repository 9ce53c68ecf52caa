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
bool stores(uint record) { return record - push.records < push.all_records; }

uint strengths_of(uint record) {
    return arena[(record & ~15u) + HORIZONTAL + (record >> 1 & 1u)] >> ((record & 1u) << 4);
}

// Words from line to line. Planes of 4:4:4 may differ in it; `record` knows which one this is, and a
// register is saved.
#ifdef CHROMA_444
uint line_of(uint record) {
    uint thresholds = record & 12u;
    return (thresholds == CR ? push.row_2 : thresholds == CB ? push.row_1 : push.row_0) * 4u;
}
#else
uint line_of(uint record) { return push.line_0; }
#endif

// The loops have the same bounds for all, so that V3D needs no masks for them: the last slab may
// reach below the picture, where it filters and stores nothing. Which rows are there follows from
// `record` alone, as registers are what this pass is short of; its lower bits choose the plane's
// thresholds and the segment.
void main() {
    // 16 invocations, a vector of V3D's, stand in one slab.
    uint block = gl_WorkGroupID.x * 16u + (gl_LocalInvocationIndex >> 4);
    uint slab = min(block * push.slab_scale >> 20, push.luma_rows * LUMA_PLANES - 1u);
    uint x = (block - slab * push.slab_blocks) * 16u + (gl_LocalInvocationIndex & 15u);
    Plane plane = luma_plane(slab);
    uint mb_x = min(x * 43691u >> 17, push.mb_width - 1u); // x / 3, below 2^15
    uint segment = x - mb_x * 3u;
    uint mb_y = slab * push.slab;
    uint tile = push.tile + plane.cells * 3u + (mb_y * 4u - 3u) * push.tile_pitch + x;
    uint at = (plane.at + mb_x * QUAD) * 4u + (mb_y * 16u - 4u) * plane.line * 4u + segment * QUAD;
    uint record = x < push.tile_pitch ? record_of(mb_x, mb_y) + plane.thresholds + segment
                                      : 0x80000000u;

    // Above the picture this reads other parts of the scratch buffer, and the first edge below is
    // not filtered.
    Columns p = to_rows(load_cell(tile));
    Columns q = next_rows(tile);
    {
        uint above = record - (mb_y == 0u ? 0u : push.record_pitch);
        above = min(above, push.last_record);
        uint strengths = strengths_of(above);
        uint thresholds = arena[(above & ~3u) + INNER];
        Limits limits = limits_of(thresholds);
        edge_before(p, q, limits, thresholds, strengths >> 8 & 15u);
        p = q;
        q = next_rows(tile);
        inner_edge(p, q, limits, thresholds, strengths >> 12 & 15u);
    }
    for (uint r = 0; r < push.slab; r++) {
        uint present = min(record, push.last_record);
        uint strengths = strengths_of(present);
        strengths = stores(record) ? strengths : 0u;
        p = q;
        q = next_rows(tile);
        outer_edge(p, q, arena[(present & ~3u) + OUTER_UPPER], strengths & 15u);
        if (stores(record - push.record_pitch)) store_block(at, line_of(record), from_rows(p));
        at += line_of(record) * 4u;
        uint thresholds = arena[(min(record, push.last_record) & ~3u) + INNER];
        Limits limits = limits_of(thresholds);
        [[dont_unroll]] for (uint e = 1; e < 4; e++) {
            strengths >>= 4;
            p = q;
            q = next_rows(tile);
            inner_edge(p, q, limits, thresholds, strengths & 15u);
            if (stores(record)) store_block(at, line_of(record), from_rows(p));
            at += line_of(record) * 4u;
        }
        record += push.record_pitch;
    }
    // A slab that ends with the picture: no macroblock below has stored this.
    if (stores(record - push.record_pitch) && !stores(record))
        store_block(at, line_of(record), from_rows(q));
}
