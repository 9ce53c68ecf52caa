// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_8X8_HIGH_GLSL
#define VP9_RESIDUAL_8X8_HIGH_GLSL

#include "vp9/residual_add.glsl"
#include "vp9/residual_adst.glsl"
#include "vp9/residual_dct.glsl"

// 8x8 blocks of more than 8 bits, four lanes each: a lane transforms two rows, then the two columns
// that share its words of samples. Coefficients: for each of `edge` rows `edge` words.

void residual_8x8_line(inout int v[8], bool adst, int bias) {
    if (adst)
        residual_adst8(v, bias);
    else
        residual_dct8(v, bias);
}

void residual_8x8_row(uint source, uint cell, uint edge, bool adst) {
    uvec4 left = residual_load(source);
    uvec4 right = edge == 8 ? residual_load(source + 4) : uvec4(0);
    int v[8];
    [[unroll]] for (uint c = 0; c < 4; c++) {
        v[c] = int(left[c]);
        v[c + 4] = int(right[c]);
    }
    residual_8x8_line(v, adst, 0);
    [[unroll]] for (uint c = 0; c < 8; c++) cells[cell + c] = uint(v[c]);
}

void residual_8x8_columns(uint cell, uint edge, bool adst, inout uint words[8]) {
    [[unroll]] for (int c = 1; c >= 0; c--) {
        int v[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        [[unroll]] for (uint r = 0; r < edge; r++) v[r] = int(cells[cell + r * 8 + c]);
        residual_8x8_line(v, adst, 16);
        [[unroll]] for (uint r = 0; r < 8; r++) words[r] = residual_add_next(words[r], v[r] >> 5);
    }
}

void residual_8x8_rows(ResidualTask task, uint cell, uint edge, bool adst) {
    [[unroll]] for (uint p = 0; p < edge; p += 4)
        residual_8x8_row(task.source + (p + task.lane) * edge, cell + (p + task.lane) * 8, edge, adst);
}

void residual_8x8(ResidualTask task, uint edge, bool row_adst, bool column_adst) {
    uint cell = task.block * 64;
    if (row_adst) residual_8x8_rows(task, cell, edge, true);
    if (!row_adst) residual_8x8_rows(task, cell, edge, false);
    barrier();
    cell += task.lane * 2;
    uint words[8];
    [[unroll]] for (uint r = 0; r < 8; r++)
        words[r] = residual_before(task.at + task.lane + r * task.stride);
    if (column_adst) residual_8x8_columns(cell, edge, true, words);
    if (!column_adst) residual_8x8_columns(cell, edge, false, words);
    if (task.live) {
        [[unroll]] for (uint r = 0; r < 8; r++)
            samples[task.at + task.lane + r * task.stride] = words[r];
    }
}

#endif
