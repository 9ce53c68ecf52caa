// SPDX-License-Identifier: BSD-2-Clause
// H.264 inter prediction (8.4.2.2 and 8.4.2.3) from one reference. The rectangles of a dispatch are
// of any size and vector, those of a workgroup of one kind.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "h264/inter_io.glsl"
#if INTER_DEPTH == 8
#include "h264/inter_samples_8.glsl"
#else
#include "h264/inter_samples_high.glsl"
#endif
#include "h264/inter_march.glsl"
#include "h264/inter_between.glsl"
#include "h264/inter_any.glsl"
#include "h264/inter_chroma.glsl"

void main() {
    uvec2 group = arena_pairs[(push.groups >> 1) + gl_WorkGroupID.x];
    uint number = gl_LocalInvocationID.x >> unpack(group.y, INTER_GROUP_LANES_LOG2);
    // There may be more workgroups than the motion needs: they have no records.
    if (number >= unpack(group.y, INTER_GROUP_COUNT)) return;
    InterTask task = inter_task(group, number);
    // In this order the compiler for V3D has enough registers.
    if (task.kind < INTER_NARROW) {
#if INTER_DEPTH != 8 || INTER_MODE != INTER_WEIGHTED
        if (task.kind == INTER_CENTRE) inter_centre(task, 2);
        if (task.kind == INTER_DOWN) inter_down(task, 2);
#endif
        if (task.kind == INTER_DIAGONAL) inter_diagonal(task, 2);
        if (task.kind == INTER_ACROSS) inter_across(task, 2);
        if (task.kind == INTER_COPY) inter_copy(task, 2);
    }
    if (task.kind >= INTER_CHROMA) {
        if (task.kind == INTER_CHROMA) inter_chroma(task, 2);
        if (task.kind == INTER_CHROMA_NARROW) inter_chroma(task, 1);
        if (task.kind == INTER_CHROMA_ANY) inter_chroma_any(task, 1);
#if INTER_DEPTH == 8
        if (task.kind == INTER_CHROMA_PART) inter_chroma(task, 0);
        if (task.kind == INTER_CHROMA_ANY_PART) inter_chroma_any(task, 0);
#endif
    }
    if (task.kind >= INTER_NARROW && task.kind <= INTER_ANY) {
        if (task.kind == INTER_ANY) inter_any(task);
        if (task.kind == INTER_BESIDE + INTER_NARROW) inter_beside(task, 1);
#if INTER_DEPTH == 8
        if (task.kind == INTER_CENTRE + INTER_NARROW) inter_centre(task, 1);
        if (task.kind == INTER_DIAGONAL + INTER_NARROW) inter_diagonal(task, 1);
        if (task.kind == INTER_DOWN + INTER_NARROW) inter_down(task, 1);
        if (task.kind == INTER_ACROSS + INTER_NARROW) inter_across(task, 1);
        if (task.kind == INTER_COPY + INTER_NARROW) inter_copy(task, 1);
#endif
    }
}
