// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_ITX_8X8_GLSL
#define VP9_ITX_8X8_GLSL

#include "vp9/itx_dct.glsl"

// 8x8 blocks, two lanes each: a lane transforms two pairs of rows, then the four columns that
// share its words of samples, so that no result has to change lanes before it is stored.
// Coefficients: for each pair of rows eight words, one a column.

void itx_8x8_rows(uint source, uint cell) {
    [[unroll]] for (uint p = 0; p < 2; p++) {
        uvec4 left = itx_load(source + p * 16);
        uvec4 right = itx_load(source + p * 16 + 4);
        int a[8], b[8];
        [[unroll]] for (uint c = 0; c < 4; c++) {
            a[c] = itx_low(left[c]);
            a[c + 4] = itx_low(right[c]);
            b[c] = itx_high(left[c]);
            b[c + 4] = itx_high(right[c]);
        }
        itx_dct8(a, 0);
        itx_dct8(b, 0);
        uint m[8];
        [[unroll]] for (uint c = 0; c < 8; c++) m[c] = itx_pair(a[c], b[c]);
        cells[cell + p * 4] = uvec4(m[0], m[1], m[2], m[3]);
        cells[cell + p * 4 + 1] = uvec4(m[4], m[5], m[6], m[7]);
    }
}

void itx_8x8_columns(uint cell, inout uint words[8]) {
    uvec4 m[4];
    [[unroll]] for (uint r = 0; r < 4; r++) m[r] = cells[cell + r * 2];
    [[unroll]] for (uint c = 0; c < 4; c++) {
        int v[8];
        [[unroll]] for (uint r = 0; r < 4; r++) {
            v[r * 2] = itx_low(m[r][c]);
            v[r * 2 + 1] = itx_high(m[r][c]);
        }
        itx_dct8(v, 16);
        [[unroll]] for (uint r = 0; r < 8; r++) words[r] = itx_add_next(words[r], v[r] >> 5);
    }
}

void itx_8x8(ItxGroup group) {
    uint lane = gl_LocalInvocationID.x & 1u;
    uint block = gl_LocalInvocationID.x >> 1;
    uint count = group.kind_count >> 16;
    ItxRecord record = itx_record(group, min(block, count - 1));
    itx_8x8_rows(record.source + lane * 8, block * 8 + lane * 2);
    barrier();

    uint stride;
    uint at = itx_place(record.place, stride) + lane;
    uint words[8];
    [[unroll]] for (uint r = 0; r < 8; r++) words[r] = samples[at + r * stride];
    itx_8x8_columns(block * 8 + lane, words);
    if (block < count) {
        [[unroll]] for (uint r = 0; r < 8; r++) samples[at + r * stride] = words[r];
    }
}

#endif
