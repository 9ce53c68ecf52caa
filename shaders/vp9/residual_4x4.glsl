// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_4X4_GLSL
#define VP9_RESIDUAL_4X4_GLSL

#include "common/residual_4x4.glsl"
#include "vp9/residual_adst.glsl"
#include "vp9/residual_dct.glsl"
#include "vp9/residual_wht.glsl"

const uint RESIDUAL_DCT = 0;
const uint RESIDUAL_ADST = 1;
const uint RESIDUAL_WHT = 2;

#ifdef RESIDUAL_WORDS
// From the block's cells.
void residual_4x4_load(ResidualTask task, out int v[16]) {
#if RESIDUAL_DEPTH == 8
    [[unroll]] for (uint h = 0; h < 2; h++) {
        uvec4 words = residual_load(task.block * 8 + h * 4);
        [[unroll]] for (uint c = 0; c < 4; c++) {
            v[h * 8 + c] = residual_low(words[c]);
            v[h * 8 + 4 + c] = residual_high(words[c]);
        }
    }
#else
    [[unroll]] for (uint r = 0; r < 16; r += 4) {
        uvec4 words = residual_load(task.block * 16 + r);
        [[unroll]] for (uint c = 0; c < 4; c++) v[r + c] = int(words[c]);
    }
#endif
}
#else
void residual_4x4_load(ResidualTask task, out int v[16]) { residual_4x4_load(task.source, v); }
#endif

void residual_4x4_row(inout int v[4], uint transform) {
    if (transform == RESIDUAL_DCT) {
        residual_dct4(v, 0);
    } else if (transform == RESIDUAL_ADST) {
        residual_adst4(v, 0);
    } else {
        [[unroll]] for (uint i = 0; i < 4; i++) v[i] >>= 2;
        residual_wht4(v);
    }
}

void residual_4x4_column(inout int v[4], uint transform) {
    if (transform == RESIDUAL_WHT) {
        residual_wht4(v);
        return;
    }
    if (transform == RESIDUAL_DCT)
        residual_dct4(v, 8);
    else
        residual_adst4(v, 8);
    [[unroll]] for (uint i = 0; i < 4; i++) v[i] >>= 4;
}

// v[row * 4 + column]
void residual_4x4_rows(inout int v[16], uint transform) {
    [[unroll]] for (uint r = 0; r < 16; r += 4) {
        int line[4] = {v[r], v[r + 1], v[r + 2], v[r + 3]};
        residual_4x4_row(line, transform);
        [[unroll]] for (uint c = 0; c < 4; c++)
            v[r + c] = RESIDUAL_DEPTH == 8 ? line[c] << 16 >> 16 : line[c];
    }
}

void residual_4x4_columns(inout int v[16], uint transform) {
    [[unroll]] for (uint c = 0; c < 4; c++) {
        int line[4] = {v[c], v[c + 4], v[c + 8], v[c + 12]};
        residual_4x4_column(line, transform);
        [[unroll]] for (uint r = 0; r < 4; r++) v[r * 4 + c] = line[r];
    }
}

// The transforms one of which a workgroup may have; constants where the caller knows.
void residual_4x4_transform(inout int v[16], uint rows, uint columns) {
    if (rows == RESIDUAL_DCT) residual_4x4_rows(v, RESIDUAL_DCT);
    if (rows == RESIDUAL_ADST) residual_4x4_rows(v, RESIDUAL_ADST);
    if (columns == RESIDUAL_DCT) residual_4x4_columns(v, RESIDUAL_DCT);
    if (columns == RESIDUAL_ADST) residual_4x4_columns(v, RESIDUAL_ADST);
    if (rows == RESIDUAL_WHT) {
        residual_4x4_rows(v, RESIDUAL_WHT);
        residual_4x4_columns(v, RESIDUAL_WHT);
    }
}

void residual_4x4(ResidualTask task, uint rows, uint columns) {
    int v[16];
    residual_4x4_load(task, v);
    uint words[4 * RESIDUAL_WORDS_OF_FOUR];
    residual_4x4_before(task, words);
    residual_4x4_transform(v, rows, columns);
    residual_4x4_store(task, v, words);
}

#endif
