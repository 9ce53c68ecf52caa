// SPDX-License-Identifier: BSD-2-Clause
// The VP9 loop filter by cut passes (vp9/filter/order.hpp): all edges between columns, in the
// picture. The strip on the left of a superblock comes from its slot and goes back there. This
// pass's result for the superblock's own strip is useless, and is overwritten later.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/filter_io.glsl"
#include "vp9/filter_core.glsl"
#include "vp9/filter_block.glsl"
#include "vp9/filter_slots.glsl"

struct Track {
    uint at, stride; // of the first block, of the picture
    uint left;       // rows of the strip on the left
    FilterLine line;
};

uint block_step(Track track) { return 1u; }
bool holds_before(Track track) { return (track.line.marks & 3u) != 0; }
void load_before(Track track, out Quad far, out Quad p) {
    load_columns(true, track.left, 1u, far, p);
}
void load_next(Track track, uint at, out Quad q, out Quad next) {
    load_columns(false, at, track.stride, q, next);
}
void store_held(Track track, bool first, uint at, Quad far, Quad p) {
    if (first)
        store_columns(true, track.left, 1u, far, p);
    else
        store_columns(false, at - 1u, track.stride, far, p);
}
void store_last(Track track, uint at, Quad far, Quad p) { store_held(track, false, at, far, p); }
#include "vp9/filter_march.glsl"

void main() {
    uint number = gl_WorkGroupID.z, col = gl_WorkGroupID.y;
    Plane plane = plane_of(number);
    uint y = gl_GlobalInvocationID.x * 4u, rows = strip_rows(plane);
    uint row = y >> (6u - plane.shift_y), in_strip = y & (rows - 1u);
    uint stride = plane.stride >> COLUMNS_UNIT_SHIFT;
    uint at = (plane.offset >> COLUMNS_UNIT_SHIFT) + y * stride + col * (8u >> plane.shift_x);
    uint left = slot_of(number, plane, row, max(col, 1u) - 1u) + in_strip;
    march(Track(at, stride, left,
                line_of(y < plane.height, plane, row, col, false, in_strip >> 3)));
}
