// SPDX-License-Identifier: BSD-2-Clause
// VP9 inverse transforms with DCT or WHT in both directions, added to the picture. The blocks of a
// dispatch are of any size, those of a workgroup of one kind.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/residual_core.glsl"
#include "vp9/residual_32x32.glsl"
#include "common/residual_dc.glsl"
#include "vp9/residual_raw.glsl"

void main() {
    ResidualTask task = residual_task();
#ifdef RESIDUAL_WORDS
    residual_unpack(task);
#endif
    if (task.kind < RESIDUAL_DCT_16_8) {
        if (task.kind < RESIDUAL_RAW) residual_dc(task, task.kind);
#ifdef RESIDUAL_WORDS
        if (task.kind >= RESIDUAL_RAW && task.kind < RESIDUAL_WHT_4) residual_raw(task, task.kind - RESIDUAL_RAW);
#endif
        if (task.kind == RESIDUAL_WHT_4) residual_4x4(task, RESIDUAL_WHT, RESIDUAL_WHT);
        if (task.kind == RESIDUAL_DCT_4) residual_4x4(task, RESIDUAL_DCT, RESIDUAL_DCT);
        if (task.kind == RESIDUAL_DCT_8_4) residual_8x8(task, 4, false, false);
        if (task.kind == RESIDUAL_DCT_8) residual_8x8(task, 8, false, false);
    }
    if (task.kind >= RESIDUAL_DCT_16_8) {
        if (task.kind == RESIDUAL_DCT_16_8) residual_16x16(task, 8, false, false);
        if (task.kind == RESIDUAL_DCT_16) residual_16x16(task, 16, false, false);
        if (task.kind == RESIDUAL_DCT_32_8) residual_32x32(task, 8);
        if (task.kind == RESIDUAL_DCT_32_16) residual_32x32(task, 16);
        if (task.kind == RESIDUAL_DCT_32) residual_32x32(task, 32);
    }
}
