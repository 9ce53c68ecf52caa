// SPDX-License-Identifier: BSD-2-Clause
// H.264 motion: moves the records that motion.comp has made to their places.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "h264/motion_io.glsl"

void main() {
    MotionList list = motion_list();
    if (list.own == MOTION_NOTHING) return;
    uint from = (push.unsorted >> 2) + list.vectors, left;
    [[dont_unroll]] do {
        uvec4 moved = arena_quads[from++];
        left = unpack(moved.w, MOTION_LEFT);
        uint at = atomicAdd(arena[push.buckets + unpack(moved.w, MOTION_BUCKET)], 1u);
        arena_quads[(push.records >> 2) + at] = uvec4(moved.xyz, 0u);
    } while (left != 0u);
}
