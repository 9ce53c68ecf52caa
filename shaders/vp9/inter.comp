// SPDX-License-Identifier: BSD-2-Clause
// VP9 motion compensation from a reference of the picture's own size. The blocks of a dispatch are
// of any size and filter, those of a workgroup of one kind.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/inter_io.glsl"
#if INTER_DEPTH == 8
#include "vp9/inter_filter_8.glsl"
#else
#include "vp9/inter_filter_high.glsl"
#endif
#include "vp9/inter_march.glsl"
#if INTER_DEPTH == 8
#include "vp9/inter_march_words.glsl"
#endif
#include "vp9/inter_any.glsl"

void main() {
    InterTask task = inter_task();
    if (!task.live) return;
    // In this order the compiler for V3D has enough registers.
    if (task.kind == INTER_ANY_1) inter_any(task);
#if INTER_DEPTH == 8
    if (task.kind == INTER_BOTH_2) inter_march_both(task);
#endif
    if (task.kind == INTER_COPY_2) inter_march(task, 2, false, false);
    if (task.kind == INTER_ACROSS_2) inter_march(task, 2, true, false);
#if INTER_DEPTH == 8
    if (task.kind == INTER_DOWN_2) inter_march_down(task);
    if (task.kind == INTER_COPY_1) inter_march(task, 1, false, false);
    if (task.kind == INTER_ACROSS_1) inter_march(task, 1, true, false);
#endif
    if (task.kind == INTER_DOWN_1) inter_march(task, 1, false, true);
    if (task.kind == INTER_BOTH_1) inter_march(task, 1, true, true);
}
