// SPDX-License-Identifier: BSD-2-Clause
// The VP9 loop filter by cut passes (vp9/filter/order.hpp): the edges between rows of all columns
// but the strips, in the picture; an invocation has units of 4 columns. Workgroups behind these bring
// the strips from their slots.
//
// With FILTER_PHASED 0 it filters its unit from the top of the picture to its end. With 1 it has
// the unit of one superblock, and its workgroup the unit from the top to the end: in the first phase
// all are filtered from their cuts on, and what is before a cut follows in the second phase, or later
// when the superblock above has no cut. That is the shorter chain, and more work.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/filter_io.glsl"
#include "vp9/filter_core.glsl"
#include "vp9/filter_block.glsl"
#include "vp9/filter_slots.glsl"

struct Track {
    uint at, stride; // of the first block, of the picture
    FilterLine line;
};

uint block_step(Track track) { return 8u * track.stride; }
bool holds_before(Track track) { return (track.line.marks & 3u) != 0; }
void load_before(Track track, out Quad far, out Quad p) {
    load_block(true, false, track.at - 8u * track.stride, track.stride, far, p);
}
void load_next(Track track, uint at, out Quad q, out Quad next) {
    load_block(true, false, at, track.stride, q, next);
}
void store_held(Track track, bool first, uint at, Quad far, Quad p) {
    store_block(true, false, at - 8u * track.stride, track.stride, far, p);
}
void store_last(Track track, uint at, Quad far, Quad p) { store_held(track, false, at, far, p); }
#include "vp9/filter_march.glsl"

// Without its strip a superblock has 14 units of 4 columns, or 6; the last one in a row is whole.
Track track_of(uint number, uint unit, uint row) {
    Plane plane = plane_of(number);
    uint col = min(plane.shift_x != 0 ? unit / 6u : unit / 14u, push.cols - 1u);
    unit -= col * (plane.shift_x != 0 ? 6u : 14u);
    uint x = (col << (6u - plane.shift_x)) + unit * 4u, y = row << (6u - plane.shift_y);
    uint stride = plane.stride >> ROWS_UNIT_SHIFT;
    uint at = (plane.offset + (x >> WORD_SHIFT) >> ROWS_UNIT_SHIFT) + y * stride;
    bool working = x < plane.width && row < push.rows;
    return Track(at, stride, line_of(working, plane, row, col, true, unit >> 1));
}

// 4 rows of a strip. Its last 8 rows stand before the strip below, where there is one.
void copy_strip(uint number, uint task) {
    Plane plane = plane_of(number);
    uint log2_lanes = 4u - plane.shift_y, line = task & ((1u << log2_lanes) - 1u);
    uint strip = task >> log2_lanes, row = strip / (push.cols - 1u);
    uint col = strip - row * (push.cols - 1u), rows = strip_rows(plane), y = row * rows + line * 4u;
    if (y >= plane.height || row >= push.rows) return;
    bool below = line * 4u >= rows - 8u && row + 1u < push.rows;
    uint from = slot_of(number, plane, below ? row + 1u : row, col) + line * 4u - (below ? rows : 0u);
    uint stride = plane.stride >> COLUMNS_UNIT_SHIFT, blocks = 8u >> plane.shift_x;
    uint to = (plane.offset >> COLUMNS_UNIT_SHIFT) + y * stride + (col + 1u) * blocks - 1u;
    const uint WORDS = 1u << COLUMNS_UNIT_SHIFT;
    for (uint r = 0; r < 4u; r++) {
        [[unroll]] for (uint w = 0; w < WORDS; w++)
            samples[to * WORDS + w] = scratch[from * WORDS + w];
        to += stride;
        from++;
    }
}

// Where an invocation stands is worked out anew each time: kept over the loops, it would take
// registers that the filters need.
#if FILTER_PHASED
void main() {
    if (gl_WorkGroupID.x >= push.row_groups) {
        copy_strip(gl_WorkGroupID.y, gl_GlobalInvocationID.x - push.row_groups * FILTER_LANES);
        return;
    }
    uint id = gl_LocalInvocationIndex | gl_WorkGroupID.x << 8 | gl_WorkGroupID.y << 28;
    for (uint top = 0; top < push.rows; top += FILTER_LANES) {
        for (uint phase = 1; phase <= push.row_phases; phase++) {
            uint here = id + phase * push.zero, lane = here & 255u;
            uint row = lane * push.row_units_inverse >> 16;
            uint unit = (here >> 8 & 0xfffffu) * push.row_units + lane - row * push.row_units;
            bool working = row < min(push.rows, FILTER_LANES);
            Track track = track_of(here >> 28, unit, working ? top + row : push.rows);
            uint behind = marks_behind(track.line), before = track.line.marks ^ behind;
            bool due = unpack(track.line.cut, FILTER_PHASE) == phase;
            track.line.marks = phase == 1u ? behind : due ? before : 0u;
            march(track);
            memoryBarrierBuffer();
            barrier();
        }
    }
}
#else
void main() {
    if (gl_WorkGroupID.x >= push.row_groups) {
        copy_strip(gl_WorkGroupID.y, gl_GlobalInvocationID.x - push.row_groups * FILTER_LANES);
        return;
    }
    uint id = gl_GlobalInvocationID.x | gl_WorkGroupID.y << 28;
    for (uint row = 0; row < push.rows; row++) {
        uint here = id + row * push.zero;
        march(track_of(here >> 28, here & 0xfffffffu, row));
    }
}
#endif
