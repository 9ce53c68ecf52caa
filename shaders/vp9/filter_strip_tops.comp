// SPDX-License-Identifier: BSD-2-Clause
// The VP9 loop filter by cut passes (vp9/filter/order.hpp), second tasks: each takes the last 8 rows
// of the strip above, filters the edge between columns on their right and puts them before its own
// strip; then filters what is left of that, edges between rows from the top down to the cut.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/filter_io.glsl"
#include "vp9/filter_core.glsl"
#include "vp9/filter_block.glsl"
#include "vp9/filter_slots.glsl"

struct Track {
    uint at;     // of the first block: in the picture between columns, else in the slot
    uint stride; // of the picture; 0 for edges between rows, which lie in the slot
    uint before; // of the block before the first
    FilterLine line;
};

bool between_rows(Track track) { return track.stride == 0; }
uint block_step(Track track) { return between_rows(track) ? 16u : 1u; }
bool holds_before(Track track) { return (track.line.marks & 3u) != 0; }
void load_before(Track track, out Quad far, out Quad p) {
    if (between_rows(track))
        load_block(true, true, track.before, 2u, far, p);
    else
        load_columns(true, track.before, 1u, far, p);
}
void load_next(Track track, uint at, out Quad q, out Quad next) {
    if (between_rows(track))
        load_block(true, true, at, 2u, q, next);
    else
        load_columns(false, at, track.stride, q, next);
}
void store_held(Track track, bool first, uint at, Quad far, Quad p) {
    if (between_rows(track))
        store_block(true, true, at - 16u, 2u, far, p);
    else
        store_columns(true, track.before, 1u, far, p);
}
// What is right of the edge belongs to others.
void store_last(Track track, uint at, Quad far, Quad p) {
    if (between_rows(track)) store_held(track, false, at, far, p);
}
#include "vp9/filter_march.glsl"

// 4 rows of one slot to another.
void copy_rows(uint from, uint to) {
    const uint WORDS = 1u << COLUMNS_UNIT_SHIFT;
    for (uint word = 0; word < 4u * WORDS; word++)
        scratch[to * WORDS + word] = scratch[from * WORDS + word];
}

const uint BETWEEN_ROWS = 0x80000000u;

// id: invocation | group << 8 | plane << 24 | BETWEEN_ROWS. A task has two invocations: for 4 rows each of the last
// 8 above, then for 4 columns each of the strip.
Track track_of(uint id) {
    bool between_rows = id >= BETWEEN_ROWS;
    uint number = id >> 24 & 3u, line = id & 1u;
    Plane plane = plane_of(number);
    bool own = number != 0 && (push.format & FILTER_FORMAT_OWN_MARKS) != 0;
    uint task = ((id & 0xffu) + (id >> 8 & 0xffffu) * FILTER_LANES) >> 1;
    bool working = task < (own ? push.task_count_1 : push.task_count_0);
    uint where = arena[(own ? push.tasks_1 : push.tasks_0) + (working ? task : 0u)];
    uint row = unpack(where, FILTER_TASK_ROW), col = unpack(where, FILTER_TASK_COL);

    uint rows = strip_rows(plane), blocks = 8u >> plane.shift_x, slot = slot_of(number, plane, row, col);
    if (between_rows) {
        FilterLine marks = line_of(working, plane, row, col, true, blocks - 1u);
        marks.marks ^= marks_behind(marks);
        return Track(2u * slot + line, 0u, 2u * slot + line - 16u, marks);
    }
    FilterLine marks = line_of(working, plane, row - 1u, col + 1u, false, (rows >> 3) - 1u);
    marks.marks &= 3u;
    uint stride = plane.stride >> COLUMNS_UNIT_SHIFT, y = row * rows - 8u + line * 4u;
    uint at = (plane.offset >> COLUMNS_UNIT_SHIFT) + y * stride + (col + 1u) * blocks;
    uint above = slot_of(number, plane, row - 1u, col) + rows - 8u + line * 4u;
    slot -= 8u - line * 4u;
    if (working) copy_rows(above, slot);
    return Track(at, stride, slot, marks);
}

void main() {
    uint id = gl_LocalInvocationIndex | gl_WorkGroupID.x << 8 | gl_WorkGroupID.y << 24;
    for (uint phase = 0; phase < 2u; phase++) {
        march(track_of(id));
        memoryBarrierBuffer();
        barrier();
        id |= BETWEEN_ROWS;
    }
}
