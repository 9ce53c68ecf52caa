// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_16X16_HIGH_GLSL
#define VP9_RESIDUAL_16X16_HIGH_GLSL

#include "vp9/residual_add.glsl"
#include "vp9/residual_adst16.glsl"
#include "vp9/residual_dct16.glsl"

// 16x16 blocks of more than 8 bits, eight lanes each: a lane transforms two rows, then the two
// columns that share its words of samples. Coefficients: for each of `edge` rows `edge` words.

void residual_16x16_line(inout int v[16], bool adst, int bias) {
    if (adst)
        residual_adst16(v, bias);
    else
        residual_dct16(v, bias);
}

void residual_16x16_row(uint source, uint cell, uint edge, bool adst) {
    int v[16];
    [[unroll]] for (uint q = 0; q < 16; q += 4) {
        uvec4 words = q < edge ? residual_load(source + q) : uvec4(0);
        [[unroll]] for (uint i = 0; i < 4; i++) v[q + i] = int(words[i]);
    }
    residual_16x16_line(v, adst, 0);
    [[unroll]] for (uint c = 0; c < 16; c++) cells[cell + c] = uint(v[c]);
}

void residual_16x16_column(uint cell, uint edge, bool adst, inout uint words[16]) {
    int v[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    [[unroll]] for (uint r = 0; r < edge; r++) v[r] = int(cells[cell + r * 16]);
    residual_16x16_line(v, adst, 32);
    [[unroll]] for (uint r = 0; r < 16; r++) words[r] = residual_add_next(words[r], v[r] >> 6);
}

void residual_16x16_rows(ResidualTask task, uint cell, uint edge, bool adst) {
    uint source = task.source + task.lane * edge;
    cell += task.lane * 16;
    if (edge == 8) {
        residual_16x16_row(source, cell, edge, adst);
        return;
    }
    [[dont_unroll]] for (uint p = 0; p < 2; p++)
        residual_16x16_row(source + p * 128, cell + p * 128, edge, adst);
}

void residual_16x16_columns(ResidualTask task, uint cell, uint edge, bool adst) {
    uint words[16];
    [[unroll]] for (uint r = 0; r < 16; r++)
        words[r] = residual_before(task.at + task.lane + r * task.stride);
    [[dont_unroll]] for (int c = 1; c >= 0; c--)
        residual_16x16_column(cell + c, edge, adst, words);
    if (task.live) {
        [[unroll]] for (uint r = 0; r < 16; r++)
            samples[task.at + task.lane + r * task.stride] = words[r];
    }
}

void residual_16x16(ResidualTask task, uint edge, bool row_adst, bool column_adst) {
    uint cell = task.block * 256;
    if (row_adst) residual_16x16_rows(task, cell, edge, true);
    if (!row_adst) residual_16x16_rows(task, cell, edge, false);
    barrier();
    cell += task.lane * 2;
    if (column_adst) residual_16x16_columns(task, cell, edge, true);
    if (!column_adst) residual_16x16_columns(task, cell, edge, false);
}

#endif
