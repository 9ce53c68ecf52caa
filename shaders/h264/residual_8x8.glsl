// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_RESIDUAL_8X8_GLSL
#define H264_RESIDUAL_8X8_GLSL

#include "h264/residual_add.glsl"

// 8x8 blocks. A lane transforms some rows, then the columns that share its words of samples, so
// that no result has to change lanes before it is stored. Only the `edge` x `edge` corner holds
// coefficients, 8 or 4. They are as the decoder has them, column after column.
//
// 8 bits: two lanes a block. Coefficients, and what goes from rows to columns: for each pair of rows
// a word for each column, the even row in its low half. So values between the passes have 16 bits,
// as a conformant stream's do (8.5.13) and as FFmpeg keeps them.
// More bits: four lanes a block, a word for each value.

#if RESIDUAL_DEPTH == 8
const uint residual_8x8_lanes = 2;
const uint residual_8x8_rows_a_word = 2;
#else
const uint residual_8x8_lanes = 4;
const uint residual_8x8_rows_a_word = 1;
#endif
// Words from block to block in `cells`: 4 more than needed, for other banks of a desktop GPU's
// shared memory.
const uint residual_8x8_cells = 64 / residual_8x8_rows_a_word + 4;

shared uint cells[RESIDUAL_LANES / residual_8x8_lanes * residual_8x8_cells];

// One row or column of 8.5.13.
void residual_8x8_line(inout int v[8]) {
    int a0 = v[0] + v[4];
    int a2 = v[0] - v[4];
    int a4 = (v[2] >> 1) - v[6];
    int a6 = v[2] + (v[6] >> 1);
    int a1 = v[5] - v[3] - v[7] - (v[7] >> 1);
    int a3 = v[1] + v[7] - v[3] - (v[3] >> 1);
    int a5 = v[7] - v[1] + v[5] + (v[5] >> 1);
    int a7 = v[3] + v[5] + v[1] + (v[1] >> 1);
    int b0 = a0 + a6;
    int b2 = a2 + a4;
    int b4 = a2 - a4;
    int b6 = a0 - a6;
    int b1 = a1 + (a7 >> 2);
    int b7 = a7 - (a1 >> 2);
    int b3 = a3 + (a5 >> 2);
    int b5 = (a3 >> 2) - a5;
    v[0] = b0 + b7;
    v[1] = b2 + b5;
    v[2] = b4 + b3;
    v[3] = b6 + b1;
    v[4] = b6 - b1;
    v[5] = b4 - b3;
    v[6] = b2 - b5;
    v[7] = b0 - b7;
}

// Row pair or row: a word of each column.
void residual_8x8_row(uint words[8], uint cell) {
    int a[8];
#if RESIDUAL_DEPTH == 8
    int b[8];
    [[unroll]] for (uint c = 0; c < 8; c++) {
        a[c] = residual_low(words[c]);
        b[c] = residual_high(words[c]);
    }
    residual_8x8_line(a);
    residual_8x8_line(b);
    [[unroll]] for (uint c = 0; c < 8; c++) cells[cell + c] = residual_pair(a[c], b[c]);
#else
    [[unroll]] for (uint c = 0; c < 8; c++) a[c] = int(words[c]);
    residual_8x8_line(a);
    [[unroll]] for (uint c = 0; c < 8; c++) cells[cell + c] = uint(a[c]);
#endif
}

// The carry out of the lower half is lost, as FFmpeg loses it.
uint residual_8x8_rounded(uint word, uint rounding) {
#if RESIDUAL_DEPTH == 8
    return (word & 0xffff0000u) | (word + rounding & 0xffffu);
#else
    return word + rounding;
#endif
}

// The lane's share of all rows: two words of each column, or of the corner's rows one.
void residual_8x8_rows(uint source, uint cell, uint lane, uint edge) {
    const uint column = 8 / residual_8x8_rows_a_word;
    uint first[8], second[8];
    [[unroll]] for (uint c = 0; c < 8; c++) {
        first[c] = second[c] = 0u;
        if (edge == 8) {
            uvec2 both = residual_load_pair(source + c * column + lane * 2u);
            first[c] = both.x;
            second[c] = both.y;
        } else if (c < 4) {
            first[c] = residual_load_word(source + c * column + lane);
        }
    }
    // To the first coefficient 32 is added, which rounds every result.
    first[0] = residual_8x8_rounded(first[0], lane == 0u ? 32u : 0u);
    residual_8x8_row(first, cell + lane * (edge == 8 ? 16u : 8u));
    if (edge == 8) residual_8x8_row(second, cell + lane * 16u + 8u);
}

// A column's values, before they are rounded.
void residual_8x8_column(uint cell, uint edge, out int v[8]) {
    [[unroll]] for (uint r = 0; r < 8; r++) v[r] = 0;
#if RESIDUAL_DEPTH == 8
    [[unroll]] for (uint r = 0; r < edge / 2; r++) {
        uint pair = cells[cell + r * 8];
        v[r * 2] = residual_low(pair);
        v[r * 2 + 1] = residual_high(pair);
    }
#else
    [[unroll]] for (uint r = 0; r < edge; r++) v[r] = int(cells[cell + r * 8]);
#endif
    residual_8x8_line(v);
}

const uint residual_8x8_columns_a_lane = 8 / residual_8x8_lanes;

#ifdef RESIDUAL_ALONE
// Words of two columns, row by row.
void residual_8x8_two_columns(uint cell, uint edge, out uint words[8]) {
    int a[8], b[8];
    residual_8x8_column(cell, edge, a);
    residual_8x8_column(cell + 1, edge, b);
    [[unroll]] for (uint r = 0; r < 8; r++) words[r] = residual_two(a[r] >> 6, b[r] >> 6);
}

void residual_8x8_columns(ResidualTask task, uint cell, uint edge) {
    uint at = task.at + task.lane * (residual_8x8_columns_a_lane / 2);
    uint left[8];
    residual_8x8_two_columns(cell, edge, left);
#if RESIDUAL_DEPTH == 8
    uint right[8];
    residual_8x8_two_columns(cell + 2, edge, right);
    if (!task.live) return;
    [[unroll]] for (uint r = 0; r < 8; r++)
        sample_pairs[at + r * task.stride >> 1] = uvec2(left[r], right[r]);
#else
    if (!task.live) return;
    [[unroll]] for (uint r = 0; r < 8; r++) samples[at + r * task.stride] = left[r];
#endif
}
#else
void residual_8x8_columns(ResidualTask task, uint cell, uint edge) {
    uint at = task.at + task.lane;
    uint words[8];
    [[unroll]] for (uint r = 0; r < 8; r++) words[r] = samples[at + r * task.stride];
    [[unroll]] for (uint i = 0; i < residual_8x8_columns_a_lane; i++) {
        int v[8];
        residual_8x8_column(cell + residual_8x8_columns_a_lane - 1 - i, edge, v);
        [[unroll]] for (uint r = 0; r < 8; r++) words[r] = residual_add_next(words[r], v[r] >> 6);
    }
    if (task.live) {
        [[unroll]] for (uint r = 0; r < 8; r++) samples[at + r * task.stride] = words[r];
    }
}
#endif

void residual_8x8(ResidualTask task, uint edge) {
    uint cell = task.block * residual_8x8_cells;
    residual_8x8_rows(task.source, cell, task.lane, edge);
    barrier();
    residual_8x8_columns(task, cell + task.lane * residual_8x8_columns_a_lane, edge);
}

#endif
