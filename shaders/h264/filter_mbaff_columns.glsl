// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_MBAFF_COLUMNS_GLSL
#define H264_FILTER_MBAFF_COLUMNS_GLSL

#include "h264/filter_io.glsl"

// Two lines at a time: column[i] has sample i of both, 16 bits each. Rows of a quad come in two
// halves: columns 0 and 2, then 1 and 3; above 8 bits 0 and 1, then 2 and 3.
struct Columns {
    uint column[4];
};

const uint BYTES = 0x00ff00ffu;

uint low_halves(uint a, uint b) { return (a & 0xffffu) + (b << 16); }

uint high_halves(uint a, uint b) { return (a >> 16) + (b & 0xffff0000u); }

Columns to_columns(Quad a, Quad b) {
    Columns c;
#ifdef HIGH_DEPTH
    c.column[0] = low_halves(a.x, b.x);
    c.column[1] = high_halves(a.x, b.x);
    c.column[2] = low_halves(a.y, b.y);
    c.column[3] = high_halves(a.y, b.y);
#else
    uint left = low_halves(a, b);
    uint right = high_halves(a, b);
    c.column[0] = left & BYTES;
    c.column[1] = left >> 8 & BYTES;
    c.column[2] = right & BYTES;
    c.column[3] = right >> 8 & BYTES;
#endif
    return c;
}

void to_lines(Columns c, out Quad a, out Quad b) {
#ifdef HIGH_DEPTH
    a = uvec2(low_halves(c.column[0], c.column[1]), low_halves(c.column[2], c.column[3]));
    b = uvec2(high_halves(c.column[0], c.column[1]), high_halves(c.column[2], c.column[3]));
#else
    uint left = c.column[0] + (c.column[1] << 8);
    uint right = c.column[2] + (c.column[3] << 8);
    a = low_halves(left, right);
    b = high_halves(left, right);
#endif
}

// A row of a quad has two columns a side, in one word or in a word each.
#ifdef HIGH_DEPTH
const uint SIDES_OF_WORD = 1u;

uint columns_in(uint word, uint side) { return word; }

uint with_columns(uint word, uint side, uint columns) { return columns; }
#else
const uint SIDES_OF_WORD = 2u;

uint columns_in(uint word, uint side) { return word >> side * 8u & BYTES; }

uint with_columns(uint word, uint side, uint columns) {
    uint shift = side * 8u;
    return (word & ~(BYTES << shift)) | columns << shift;
}
#endif

uint load_half(uint at, uint side) {
#ifdef HIGH_DEPTH
    return scratch[at + side];
#else
    return columns_in(scratch[at], side);
#endif
}

#endif
