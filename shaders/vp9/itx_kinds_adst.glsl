// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_ITX_KINDS_ADST_GLSL
#define VP9_ITX_KINDS_ADST_GLSL

// ADST in one direction or both.
void itx_kinds_adst(ItxTask task) {
    // One after the other, not nested: V3D takes these branches for divergent and nests masks.
    if (task.kind < ITX_ADST_8) {
        uint type = task.kind - ITX_ADST_4 + 1;
        itx_4x4(task, type & 1, type >> 1);
    }
    if (task.kind >= ITX_ADST_8 && task.kind < ITX_ADST_16) {
        uint type = task.kind - ITX_ADST_8 + 1;
        itx_8x8(task, 8, (type & 1) != 0, type > 1);
    }
    if (task.kind >= ITX_ADST_16) {
        uint type = task.kind - ITX_ADST_16 + 1;
        itx_16x16(task, 16, (type & 1) != 0, type > 1);
    }
}

#endif
