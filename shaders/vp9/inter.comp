// SPDX-License-Identifier: BSD-2-Clause
// VP9 motion compensation from a reference of the picture's own size. The blocks of a dispatch are
// of any size and filter, those of a workgroup of one kind.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/inter_io.glsl"
#if MC_DEPTH == 8
#include "vp9/inter_filter_8.glsl"
#else
#include "vp9/inter_filter_high.glsl"
#endif
#include "vp9/inter_march.glsl"
#if MC_DEPTH == 8
#include "vp9/inter_march_words.glsl"
#endif
#include "vp9/inter_any.glsl"

void main() {
    McTask task = mc_task();
    if (!task.live) return;
    // In this order the compiler for V3D has enough registers.
    if (task.kind == MC_ANY_1) mc_any(task);
#if MC_DEPTH == 8
    if (task.kind == MC_BOTH_2) mc_march_both(task);
#endif
    if (task.kind == MC_COPY_2) mc_march(task, 2, false, false);
    if (task.kind == MC_ACROSS_2) mc_march(task, 2, true, false);
#if MC_DEPTH == 8
    if (task.kind == MC_DOWN_2) mc_march_down(task);
    if (task.kind == MC_COPY_1) mc_march(task, 1, false, false);
    if (task.kind == MC_ACROSS_1) mc_march(task, 1, true, false);
#endif
    if (task.kind == MC_DOWN_1) mc_march(task, 1, false, true);
    if (task.kind == MC_BOTH_1) mc_march(task, 1, true, true);
}
