// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_8X8_GLSL
#define VP9_RESIDUAL_8X8_GLSL

#include "common/residual_add.glsl"
#include "vp9/residual_adst.glsl"
#include "vp9/residual_dct.glsl"
#include "common/residual_pair.glsl"

// 8x8 blocks, two lanes each with 8 bits: a lane transforms two pairs of rows, then the four columns
// that share its words of samples, so that no result has to change lanes before it is stored. With
// more bits four lanes: a lane transforms two rows, then the two columns that share its words.
// Coefficients: for each pair of rows, or row, `edge` words, one a column; edge is 8, or 4 where only
// the 4x4 corner holds any.

void residual_8x8_line(inout int v[8], bool adst, int bias) {
    if (adst)
        residual_adst8(v, bias);
    else
        residual_dct8(v, bias);
}

#if RESIDUAL_DEPTH == 8
void residual_8x8_row(uint source, uint cell, uint edge, bool adst) {
    uvec4 left = residual_load(source);
    uvec4 right = edge == 8 ? residual_load(source + 4) : uvec4(0);
    int a[8], b[8];
    [[unroll]] for (uint c = 0; c < 4; c++) {
        a[c] = residual_low(left[c]);
        a[c + 4] = residual_low(right[c]);
        b[c] = residual_high(left[c]);
        b[c + 4] = residual_high(right[c]);
    }
    residual_8x8_line(a, adst, 0);
    residual_8x8_line(b, adst, 0);
    [[unroll]] for (uint c = 0; c < 8; c++) cells[cell + c] = residual_pair(a[c], b[c]);
}

void residual_8x8_columns(uint cell, uint edge, bool adst, inout uint words[8]) {
    [[unroll]] for (int c = 3; c >= 0; c--) {
        int v[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        [[unroll]] for (uint r = 0; r < edge / 2; r++) {
            uint pair = cells[cell + r * 8 + c];
            v[r * 2] = residual_low(pair);
            v[r * 2 + 1] = residual_high(pair);
        }
        residual_8x8_line(v, adst, 16);
        [[unroll]] for (uint r = 0; r < 8; r++) words[r] = residual_add_next(words[r], v[r] >> 5);
    }
}
#else
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
#endif

void residual_8x8_rows(ResidualTask task, uint cell, uint edge, bool adst) {
    [[unroll]] for (uint p = 0; p < edge * RESIDUAL_WORDS_OF_FOUR / 2; p += 2 * RESIDUAL_WORDS_OF_FOUR)
        residual_8x8_row(residual_row_source(task, cell, p + task.lane, edge, 8),
                         cell + (p + task.lane) * 8, edge, adst);
}

void residual_8x8(ResidualTask task, uint edge, bool row_adst, bool column_adst) {
    uint cell = task.block * (32 * RESIDUAL_WORDS_OF_FOUR);
    if (row_adst) residual_8x8_rows(task, cell, edge, true);
    if (!row_adst) residual_8x8_rows(task, cell, edge, false);
    barrier();
    cell += task.lane * (4 / RESIDUAL_WORDS_OF_FOUR);
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
