// SPDX-License-Identifier: BSD-2-Clause
// The VP9 loop filter by cut passes (vp9/filter/order.hpp), first tasks: each filters a strip from
// its cuts on, edges between columns from the picture into the strip's slot, then edges between rows
// in the slot.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/filter_io.glsl"
#include "vp9/filter_core.glsl"
#include "vp9/filter_block.glsl"
#include "vp9/filter_slots.glsl"

struct Track {
    uint at;     // of the first block, in the picture or in the slot
    uint stride; // of the picture; 0 for edges between rows, which lie in the slot
    uint before; // between columns: rows of the slot on the left
    uint slot;   // between columns: rows of the slot
    FilterLine line;
};

bool between_rows(Track track) { return track.stride == 0; }
uint block_step(Track track) { return between_rows(track) ? 16u : 1u; }

// Without a cut the strip on the left is complete, and what is before the first block.
bool holds_before(Track track) { return (track.line.marks & 3u) != 0; }
void load_before(Track track, out Quad far, out Quad p) {
    load_columns(true, track.before, 1u, far, p);
}
void load_next(Track track, uint at, out Quad q, out Quad next) {
    if (between_rows(track))
        load_block(true, true, at, 2u, q, next);
    else
        load_columns(false, at, track.stride, q, next);
}
void store_held(Track track, bool first, uint at, Quad far, Quad p) {
    if (between_rows(track)) store_block(true, true, at - 16u, 2u, far, p);
}
void store_last(Track track, uint at, Quad far, Quad p) {
    if (between_rows(track))
        store_block(true, true, at - 16u, 2u, far, p);
    else
        store_columns(true, track.slot, 1u, far, p);
}
#include "vp9/filter_march.glsl"

// 4 rows of a strip to their slot.
void keep_strip(uint at, uint stride, uint slot) {
    const uint WORDS = 1u << COLUMNS_UNIT_SHIFT;
    for (uint r = 0; r < 4u; r++) {
        [[unroll]] for (uint w = 0; w < WORDS; w++)
            scratch[slot * WORDS + w] = samples[at * WORDS + w];
        at += stride;
        slot++;
    }
}

const uint BETWEEN_ROWS = 0x80000000u;

// id: invocation | group << 8 | plane << 24 | BETWEEN_ROWS. Between columns a strip has an invocation for 4 rows,
// between rows two, for 4 columns each.
Track track_of(uint id) {
    bool between_rows = id >= BETWEEN_ROWS;
    uint lane = id & 0xffu, number = id >> 24 & 3u;
    Plane plane = plane_of(number);
    bool own = number != 0 && (push.format & FILTER_FORMAT_OWN_MARKS) != 0;
    uint log2_rows = 4u - plane.shift_y, per_group = FILTER_LANES >> log2_rows;
    uint log2_lanes = between_rows ? 1u : log2_rows, task = lane >> log2_lanes;
    bool working = task < per_group;
    task += (id >> 8 & 0xffffu) * per_group;
    working = working && task < (own ? push.task_count_1 : push.task_count_0);
    uint where = arena[(own ? push.tasks_1 : push.tasks_0) + (working ? task : 0u)];
    uint row = unpack(where, FILTER_TASK_ROW), col = unpack(where, FILTER_TASK_COL);

    uint line = lane & ((1u << log2_lanes) - 1u), rows = strip_rows(plane);
    uint y = row * rows + line * 4u, blocks = 8u >> plane.shift_x;
    working = working && (between_rows || y < plane.height);
    uint stride = plane.stride >> COLUMNS_UNIT_SHIFT;
    uint at = (plane.offset >> COLUMNS_UNIT_SHIFT) + y * stride + col * blocks;
    uint slot = slot_of(number, plane, row, col);
    FilterLine marks = line_of(working, plane, row, col, between_rows,
                                   between_rows ? blocks - 1u : line >> 1);
    marks.marks = marks_behind(marks);
    // Only edges of its last block reach the strip, and what they need of those before.
    if (!between_rows && marks.marks >> (4u * blocks - 4u) == 0) marks.marks = 0;
    uint row_slot = slot + line * 4u;
    if (working && !between_rows) keep_strip(at + blocks - 1u, stride, row_slot);
    return Track(between_rows ? 2u * slot + line : at, between_rows ? 0u : stride,
                 row_slot - (8u + rows), row_slot, marks);
}

void main() {
    uint id = gl_LocalInvocationIndex | gl_WorkGroupID.x << 8 | gl_WorkGroupID.y << 24;
    for (bool more = true; more; id |= BETWEEN_ROWS) {
        more = id < BETWEEN_ROWS;
        march(track_of(id));
        memoryBarrierBuffer();
        barrier();
    }
}
