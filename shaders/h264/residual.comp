// SPDX-License-Identifier: BSD-2-Clause
// H.264 inverse transforms (ITU-T H.264 8.5.12, 8.5.13) and transform bypass (8.5.15), added to the
// picture or, with RESIDUAL_ALONE, on their own. The blocks of a dispatch are of any kind, those of a
// workgroup of one. RESIDUAL_DEPTH is the bit depth, of which the kernels distinguish 8 and more.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "h264/residual_io.glsl"

#include "h264/residual_4x4.glsl"
#include "h264/residual_8x8.glsl"
#include "h264/residual_bypass.glsl"
#ifndef RESIDUAL_ALONE
#include "common/residual_dc.glsl"
#endif

void main() {
    ResidualTask task = residual_task();
    if (task.kind < RESIDUAL_4) {
        if (task.kind == RESIDUAL_BYPASS_4) residual_bypass(task);
#ifndef RESIDUAL_ALONE
        if (task.kind < RESIDUAL_BYPASS_4) residual_dc(task, task.kind);
#endif
    }
    if (task.kind >= RESIDUAL_4) {
        if (task.kind == RESIDUAL_4) residual_4x4(task);
        if (task.kind == RESIDUAL_8_4) residual_8x8(task, 4);
        if (task.kind == RESIDUAL_8) residual_8x8(task, 8);
    }
}
