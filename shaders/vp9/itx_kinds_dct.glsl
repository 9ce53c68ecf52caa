// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_ITX_KINDS_DCT_GLSL
#define VP9_ITX_KINDS_DCT_GLSL

#include "vp9/itx_32x32.glsl"
#include "vp9/itx_dc.glsl"

// DCT or WHT in both directions.
void itx_kinds_dct(ItxTask task) {
    if (task.kind < ITX_DCT_16_8) {
        if (task.kind < ITX_WHT_4) itx_dc(task, task.kind);
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

#endif
