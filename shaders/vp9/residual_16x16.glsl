// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_16X16_GLSL
#define VP9_RESIDUAL_16X16_GLSL

#include "common/residual_add.glsl"
#include "vp9/residual_adst16.glsl"
#include "vp9/residual_dct16.glsl"
#include "common/residual_pair.glsl"

// 16x16 blocks, four lanes each with 8 bits: a lane transforms two pairs of rows, then the four
// columns that share its words of samples. With more bits eight lanes: a lane transforms two rows,
// then the two columns that share its words. Coefficients: for each pair of rows, or row, `edge`
// words, one a column; edge is 16, or 8 where only the 8x8 corner holds any. The loops stay loops:
// unrolled, V3D runs out of registers.

void residual_16x16_line(inout int v[16], bool adst, int bias) {
    if (adst)
        residual_adst16(v, bias);
    else
        residual_dct16(v, bias);
}

#if RESIDUAL_DEPTH == 8
void residual_16x16_row(uint source, uint cell, uint edge, bool adst) {
    int a[16], b[16];
    [[unroll]] for (uint q = 0; q < 16; q += 4) {
        uvec4 words = q < edge ? residual_load(source + q) : uvec4(0);
        [[unroll]] for (uint i = 0; i < 4; i++) {
            a[q + i] = residual_low(words[i]);
            b[q + i] = residual_high(words[i]);
        }
    }
    residual_16x16_line(a, adst, 0);
    residual_16x16_line(b, adst, 0);
    [[unroll]] for (uint c = 0; c < 16; c++) cells[cell + c] = residual_pair(a[c], b[c]);
}

void residual_16x16_column(uint cell, uint edge, bool adst, inout uint words[16]) {
    int v[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    [[unroll]] for (uint r = 0; r < edge / 2; r++) {
        uint pair = cells[cell + r * 16];
        v[r * 2] = residual_low(pair);
        v[r * 2 + 1] = residual_high(pair);
    }
    residual_16x16_line(v, adst, 32);
    [[unroll]] for (uint r = 0; r < 16; r++) words[r] = residual_add_next(words[r], v[r] >> 6);
}
#else
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
#endif

void residual_16x16_rows(ResidualTask task, uint cell, uint edge, bool adst) {
    uint source = residual_row_source(task, cell, task.lane, edge, 16);
    cell += task.lane * 16;
    if (edge == 8) {
        residual_16x16_row(source, cell, edge, adst);
        return;
    }
    [[dont_unroll]] for (uint p = 0; p < 2; p++)
        residual_16x16_row(source + p * (64 * RESIDUAL_WORDS_OF_FOUR),
                           cell + p * (64 * RESIDUAL_WORDS_OF_FOUR), edge, adst);
}

void residual_16x16_columns(ResidualTask task, uint cell, uint edge, bool adst) {
    uint words[16];
    [[unroll]] for (uint r = 0; r < 16; r++)
        words[r] = residual_before(task.at + task.lane + r * task.stride);
    [[dont_unroll]] for (int c = 4 / RESIDUAL_WORDS_OF_FOUR - 1; c >= 0; c--)
        residual_16x16_column(cell + c, edge, adst, words);
    if (task.live) {
        [[unroll]] for (uint r = 0; r < 16; r++)
            samples[task.at + task.lane + r * task.stride] = words[r];
    }
}

void residual_16x16(ResidualTask task, uint edge, bool row_adst, bool column_adst) {
    uint cell = task.block * (128 * RESIDUAL_WORDS_OF_FOUR);
    if (row_adst) residual_16x16_rows(task, cell, edge, true);
    if (!row_adst) residual_16x16_rows(task, cell, edge, false);
    barrier();
    cell += task.lane * (4 / RESIDUAL_WORDS_OF_FOUR);
    if (column_adst) residual_16x16_columns(task, cell, edge, true);
    if (!column_adst) residual_16x16_columns(task, cell, edge, false);
}

#endif
