// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_ITX_8X8_GLSL
#define VP9_ITX_8X8_GLSL

#include "vp9/itx_add.glsl"
#include "vp9/itx_adst.glsl"
#include "vp9/itx_dct.glsl"
#include "vp9/itx_pair.glsl"

// 8x8 blocks of 8 bits, two lanes each: a lane transforms two pairs of rows, then the four columns
// that share its words of samples, so that no result has to change lanes before it is stored.
// Coefficients: for each pair of rows `edge` words, one a column; edge is 8, or 4 where only the
// 4x4 corner holds any.

void itx_8x8_line(inout int v[8], bool adst, int bias) {
    if (adst)
        itx_adst8(v, bias);
    else
        itx_dct8(v, bias);
}

void itx_8x8_row_pair(uint source, uint cell, uint edge, bool adst) {
    uvec4 left = itx_load(source);
    uvec4 right = edge == 8 ? itx_load(source + 4) : uvec4(0);
    int a[8], b[8];
    [[unroll]] for (uint c = 0; c < 4; c++) {
        a[c] = itx_low(left[c]);
        a[c + 4] = itx_low(right[c]);
        b[c] = itx_high(left[c]);
        b[c + 4] = itx_high(right[c]);
    }
    itx_8x8_line(a, adst, 0);
    itx_8x8_line(b, adst, 0);
    [[unroll]] for (uint c = 0; c < 8; c++) cells[cell + c] = itx_pair(a[c], b[c]);
}

void itx_8x8_columns(uint cell, uint edge, bool adst, inout uint words[8]) {
    [[unroll]] for (int c = 3; c >= 0; c--) {
        int v[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        [[unroll]] for (uint r = 0; r < edge / 2; r++) {
            uint pair = cells[cell + r * 8 + c];
            v[r * 2] = itx_low(pair);
            v[r * 2 + 1] = itx_high(pair);
        }
        itx_8x8_line(v, adst, 16);
        [[unroll]] for (uint r = 0; r < 8; r++) words[r] = itx_add_next(words[r], v[r] >> 5);
    }
}

void itx_8x8_rows(ItxTask task, uint cell, uint edge, bool adst) {
    [[unroll]] for (uint p = 0; p < edge / 2; p += 2)
        itx_8x8_row_pair(itx_row_source(task, cell, p + task.lane, edge, 8),
                         cell + (p + task.lane) * 8, edge, adst);
}

void itx_8x8(ItxTask task, uint edge, bool row_adst, bool column_adst) {
    uint cell = task.block * 32;
    if (row_adst) itx_8x8_rows(task, cell, edge, true);
    if (!row_adst) itx_8x8_rows(task, cell, edge, false);
    barrier();
    cell += task.lane * 4;
    uint words[8];
    [[unroll]] for (uint r = 0; r < 8; r++)
        words[r] = itx_before(task.at + task.lane + r * task.stride);
    if (column_adst) itx_8x8_columns(cell, edge, true, words);
    if (!column_adst) itx_8x8_columns(cell, edge, false, words);
    if (task.live) {
        [[unroll]] for (uint r = 0; r < 8; r++)
            samples[task.at + task.lane + r * task.stride] = words[r];
    }
}

#endif
