// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_32X32_GLSL
#define VP9_RESIDUAL_32X32_GLSL

#include "common/residual_add.glsl"
#include "vp9/residual_dct32.glsl"
#include "common/residual_pair.glsl"

// 32x32 blocks, 32 lanes each: a lane transforms a row, then a column, whose results take the place
// of what it has read, then adds eight words of four residuals to the samples. `edge` is 32, or 16
// or 8 where only that corner holds coefficients; lanes beyond it have no row.
// Coefficients: a row of `edge`; with 8 bits a word holds two columns, above it holds one.

// Sixteen inputs, of which the first `edge` / 2 are there.
void residual_32x32_load(uint source, uint edge, out int v[16]) {
    [[unroll]] for (uint q = 0; q < 16; q += 4) {
        uvec4 words = q < edge / 2 ? residual_load(source + q) : uvec4(0);
        [[unroll]] for (uint i = 0; i < 4; i++) v[q + i] = int(words[i]);
    }
}

// With more than 8 bits: where those begin that belong to the odd columns of a row.
uint residual_odd_columns(uint source, uint edge) {
#ifdef RESIDUAL_WORDS
    return source + 16;
#else
    return source + edge / 2;
#endif
}

// Output k of a line is e[k] + o[k], output 31 - k is e[k] - o[k]: e comes from the even inputs, o
// from the odd ones.
void residual_32x32_row(uint source, uint cell, uint edge) {
    int e[16], o[16];
#if RESIDUAL_DEPTH == 8
    int words[16];
    residual_32x32_load(source, edge, words);
    [[unroll]] for (uint i = 0; i < 16; i++) {
        e[i] = residual_low(uint(words[i]));
        o[i] = residual_high(uint(words[i]));
    }
    residual_dct16(e, 0);
#else
    residual_32x32_load(source, edge, e);
    residual_dct16(e, 0);
    residual_32x32_load(residual_odd_columns(source, edge), edge, o);
#endif
    residual_dct32_odd(o);
#if RESIDUAL_DEPTH == 8
    [[unroll]] for (uint c = 0; c < 16; c++) cells[cell + c] = uint(e[c] + o[c] << 16 >> 16);
    [[unroll]] for (uint c = 16; c > 0; c--)
        cells[cell + 32 - c] = uint(e[c - 1] - o[c - 1] << 16 >> 16);
#else
    [[unroll]] for (uint c = 0; c < 16; c++) cells[cell + c] = uint(e[c] + o[c]);
    [[unroll]] for (uint c = 16; c > 0; c--) cells[cell + 32 - c] = uint(e[c - 1] - o[c - 1]);
#endif
}

void residual_32x32_column(uint cell, uint edge) {
    int e[16], o[16];
    [[unroll]] for (uint r = 0; r < 16; r++)
        e[r] = r < edge / 2 ? int(cells[cell + r * 64]) : 0;
    residual_dct16(e, 32);
    [[unroll]] for (uint r = 0; r < 16; r++)
        o[r] = r < edge / 2 ? int(cells[cell + r * 64 + 32]) : 0;
    residual_dct32_odd(o);
    [[unroll]] for (uint r = 0; r < 8; r++) {
        uint i = r * 2;
        cells[cell + r * 32] = residual_pair(e[i] + o[i] >> 6, e[i + 1] + o[i + 1] >> 6);
        cells[cell + 480 - r * 32] = residual_pair(e[i + 1] - o[i + 1] >> 6, e[i] - o[i] >> 6);
    }
}

// Four rows of four columns: their residuals stand at `cell`, their samples at `at`.
void residual_32x32_add(ResidualTask task, uint cell, uint at) {
    uint words[4 * RESIDUAL_WORDS_OF_FOUR];
    [[unroll]] for (uint i = 0; i < 4 * RESIDUAL_WORDS_OF_FOUR; i++)
        words[i] = residual_before(at + i / RESIDUAL_WORDS_OF_FOUR * task.stride + i % RESIDUAL_WORDS_OF_FOUR);
    [[unroll]] for (uint r = 0; r < 4; r++) {
        uint i = cell + r / 2 * 32;
        uvec4 m = uvec4(cells[i], cells[i + 1], cells[i + 2], cells[i + 3]);
        ivec4 v = ivec4((r & 1) == 0 ? m << 16 : m) >> 16;
#if RESIDUAL_DEPTH == 8
        words[r] = residual_add(words[r], v.x, v.y, v.z, v.w);
#else
        words[r * 2] = residual_add(words[r * 2], v.x, v.y);
        words[r * 2 + 1] = residual_add(words[r * 2 + 1], v.z, v.w);
#endif
    }
    if (task.live) {
        [[unroll]] for (uint i = 0; i < 4 * RESIDUAL_WORDS_OF_FOUR; i++)
            samples[at + i / RESIDUAL_WORDS_OF_FOUR * task.stride + i % RESIDUAL_WORDS_OF_FOUR] = words[i];
    }
}

void residual_32x32(ResidualTask task, uint edge) {
    uint cell = task.block * 1024;
    uint row = residual_row_source(task, cell, task.lane, edge / (RESIDUAL_DEPTH == 8 ? 2 : 1), 32);
    if (task.lane < edge) residual_32x32_row(row, cell + task.lane * 32, edge);
    barrier();
    residual_32x32_column(cell + task.lane, edge);
    barrier();
    uint top = task.lane >> 3;
    uint column = task.lane & 7u;
    [[dont_unroll]] for (uint r = 0; r < 2; r++)
        residual_32x32_add(task, cell + top * 128 + r * 64 + column * 4,
                      task.at + (top * 8 + r * 4) * task.stride + column * RESIDUAL_WORDS_OF_FOUR);
}

#endif
