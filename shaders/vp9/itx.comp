// SPDX-License-Identifier: BSD-2-Clause
// VP9 inverse transforms with DCT or WHT in both directions, added to the picture. The blocks of a
// dispatch are of any size, those of a workgroup of one kind.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/itx_core.glsl"
#include "vp9/itx_32x32.glsl"
#include "vp9/itx_dc.glsl"
#include "vp9/itx_raw.glsl"

void main() {
    ItxTask task = itx_task();
#ifdef ITX_WORDS
    itx_unpack(task);
#endif
    if (task.kind < ITX_DCT_16_8) {
        if (task.kind < ITX_RAW) itx_dc(task, task.kind);
#ifdef ITX_WORDS
        if (task.kind >= ITX_RAW && task.kind < ITX_WHT_4) itx_raw(task, task.kind - ITX_RAW);
#endif
        if (task.kind == ITX_WHT_4) itx_4x4(task, ITX_WHT, ITX_WHT);
        if (task.kind == ITX_DCT_4) itx_4x4(task, ITX_DCT, ITX_DCT);
        if (task.kind == ITX_DCT_8_4) itx_8x8(task, 4, false, false);
        if (task.kind == ITX_DCT_8) itx_8x8(task, 8, false, false);
    }
    if (task.kind >= ITX_DCT_16_8) {
        if (task.kind == ITX_DCT_16_8) itx_16x16(task, 8, false, false);
        if (task.kind == ITX_DCT_16) itx_16x16(task, 16, false, false);
        if (task.kind == ITX_DCT_32_8) itx_32x32(task, 8);
        if (task.kind == ITX_DCT_32_16) itx_32x32(task, 16);
        if (task.kind == ITX_DCT_32) itx_32x32(task, 32);
    }
}
