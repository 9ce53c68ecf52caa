// SPDX-License-Identifier: BSD-2-Clause
// The VP9 loop filter as a skewed wavefront (vp9/loopfilter_schedule.hpp): a workgroup has a group
// of superblock rows of one plane, or of both chroma planes, and goes through the columns; each
// step filters one superblock of each row, all edges between columns, then all between rows.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/loopfilter_io.glsl"
#include "vp9/loopfilter_core.glsl"
#include "vp9/loopfilter_march.glsl"

// id: invocation | group << 8 | plane << 24.
void phase(uint id, uint step, bool between_rows) {
    uint lane = id & 0xffu, group = id >> 8 & 0xffffu;
    bool luma = id < (1u << 24);
    uint shift_x = luma ? 0 : push.format & 1u, shift_y = luma ? 0 : push.format >> 1 & 1u;
    // Invocations of a superblock: one for 4 lines.
    uint log2_lanes = 4u - (between_rows ? shift_x : shift_y);
    uint per_plane = push.wave_rows << log2_lanes;
    bool second = !luma && ((id >> 24) == 2u || lane >= per_plane);
    lane -= second && (push.format & LOOPFILTER_FORMAT_PAIRED) != 0 ? per_plane : 0u;
    uint local = lane >> log2_lanes, line = lane & ((1u << log2_lanes) - 1u);
    uint row = group * push.wave_rows + local;
    uint col = push.wave_col - group * push.wave_lag + step - local;
    uint x = col << (6u - shift_x), y = row << (6u - shift_y);
    x += between_rows ? line * 4u : 0u;
    y += between_rows ? 0u : line * 4u;
    bool working = lane < per_plane && row < push.rows && col < push.cols &&
                   x < push.width >> shift_x && y < push.height >> shift_y;

    uint number = luma ? 0u : (push.format & LOOPFILTER_FORMAT_OWN_MARKS) << 2;
    number += (between_rows ? 8u >> shift_y : 0u) + (line >> 1);
    LoopfilterLine marks = line_of(working, row * push.cols + col, number);

    uint stride = luma ? push.plane_stride_0 : push.plane_stride_1;
    uint word = luma ? push.plane_offset_0 : second ? push.plane_offset_2 : push.plane_offset_1;
    word += y * stride + (x >> WORD_SHIFT);
    uint unit = between_rows ? ROWS_UNIT_SHIFT : COLUMNS_UNIT_SHIFT;
    stride >>= unit;
    march(between_rows, word >> unit, between_rows ? 8u * stride : 1u, stride, marks);
}

void main() {
    uint id = gl_LocalInvocationIndex | gl_WorkGroupID.x << 8 | gl_WorkGroupID.y << 24;
    for (uint step = 0; step < 2u * push.wave_steps; step++) {
        phase(id, step >> 1, (step & 1u) != 0);
        memoryBarrierBuffer();
        barrier();
    }
}
