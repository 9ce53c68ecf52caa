// SPDX-License-Identifier: BSD-2-Clause
// The VP9 loop filter as a skewed wavefront (vp9/filter/order.hpp): a workgroup has a group
// of superblock rows of one plane, or of both chroma planes, and goes through the columns; each
// step filters one superblock of each row, all edges between columns, then all between rows.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/filter_io.glsl"
#include "vp9/filter_core.glsl"
#include "vp9/filter_block.glsl"

struct Track {
    bool between_rows;
    uint at, stride; // of the first block, from row to row
    FilterLine line;
};
uint block_step(Track track) { return track.between_rows ? 8u * track.stride : 1u; }
bool holds_before(Track track) { return (track.line.marks & 3u) != 0; }
void load_before(Track track, out Quad far, out Quad p) {
    load_block(track.between_rows, false, track.at - block_step(track), track.stride, far, p);
}
void load_next(Track track, uint at, out Quad q, out Quad next) {
    load_block(track.between_rows, false, at, track.stride, q, next);
}
void store_held(Track track, bool first, uint at, Quad far, Quad p) {
    store_block(track.between_rows, false, at - block_step(track), track.stride, far, p);
}
void store_last(Track track, uint at, Quad far, Quad p) { store_held(track, false, at, far, p); }
#include "vp9/filter_march.glsl"

// id: invocation | group << 8 | plane << 24.
void phase(uint id, uint step, bool between_rows) {
    uint lane = id & 0xffu, group = id >> 8 & 0xffffu, number = id >> 24;
    // Invocations of a superblock: one for 4 lines.
    uint halved = number == 0 ? 0u : push.format >> (between_rows ? 0 : 1) & 1u;
    uint log2_lanes = 4u - halved, per_plane = push.wave_rows << log2_lanes;
    // Lanes behind those of the first chroma plane: the second's, or idle.
    uint second = lane >= per_plane ? push.format / FILTER_FORMAT_PAIRED & number : 0u;
    lane -= second * per_plane;
    Plane plane = plane_of(number + second);
    uint local = lane >> log2_lanes, line = lane & ((1u << log2_lanes) - 1u);
    uint row = group * push.wave_rows + local;
    uint col = push.wave_col - group * push.wave_lag + step - local;
    uint x = col << (6u - plane.shift_x), y = row << (6u - plane.shift_y);
    x += between_rows ? line * 4u : 0u;
    y += between_rows ? 0u : line * 4u;
    // A column before the first one is far beyond the last one.
    bool working = lane < per_plane && x < plane.width && y < plane.height;

    uint unit = between_rows ? ROWS_UNIT_SHIFT : COLUMNS_UNIT_SHIFT, stride = plane.stride >> unit;
    uint at = (plane.offset + y * plane.stride + (x >> WORD_SHIFT)) >> unit;
    march(Track(between_rows, at, stride,
                line_of(working, plane, row, col, between_rows, line >> 1)));
}

void main() {
    uint id = gl_LocalInvocationIndex | gl_WorkGroupID.x << 8 | gl_WorkGroupID.y << 24;
    for (uint step = 0; step < 2u * push.wave_steps; step++) {
        phase(id, step >> 1, (step & 1u) != 0);
        memoryBarrierBuffer();
        barrier();
    }
}
