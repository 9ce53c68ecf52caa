// SPDX-License-Identifier: BSD-2-Clause
// H.264 inverse transforms (ITU-T H.264 8.5.12, 8.5.13) and transform bypass (8.5.15), added to the
// picture or, with IDCT_RESIDUAL, on their own. The blocks of a dispatch are of any kind, those of a
// workgroup of one. IDCT_DEPTH is the bit depth, of which the kernels distinguish 8 and more.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "h264/idct_io.glsl"

#include "h264/idct_4x4.glsl"
#include "h264/idct_8x8.glsl"
#ifndef IDCT_RESIDUAL
#include "h264/idct_flat.glsl"
#endif

void main() {
    IdctTask task = idct_task();
#ifndef IDCT_RESIDUAL
    if (task.kind < IDCT_4) {
        if (task.kind == IDCT_BYPASS_4) idct_bypass(task);
        if (task.kind < IDCT_BYPASS_4) idct_dc(task, 1 + task.kind);
    }
#endif
    if (task.kind >= IDCT_4) {
        if (task.kind == IDCT_4) idct_4x4(task);
        if (task.kind == IDCT_8_4) idct_8x8(task, 4);
        if (task.kind == IDCT_8) idct_8x8(task, 8);
    }
}
