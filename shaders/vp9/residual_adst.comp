// SPDX-License-Identifier: BSD-2-Clause
// VP9 inverse transforms with ADST in one direction or both, which only intra blocks have.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/residual_core.glsl"

void main() {
    ResidualTask task = residual_task();
    // One after the other, not nested: V3D takes these branches for divergent and nests masks.
    if (task.kind < RESIDUAL_ADST_8) {
        uint type = task.kind - RESIDUAL_ADST_4 + 1;
        residual_4x4(task, type & 1, type >> 1);
    }
    if (task.kind >= RESIDUAL_ADST_8 && task.kind < RESIDUAL_ADST_16) {
        uint type = task.kind - RESIDUAL_ADST_8 + 1;
        residual_8x8(task, 8, (type & 1) != 0, type > 1);
    }
    if (task.kind >= RESIDUAL_ADST_16) {
        uint type = task.kind - RESIDUAL_ADST_16 + 1;
        residual_16x16(task, 16, (type & 1) != 0, type > 1);
    }
}
