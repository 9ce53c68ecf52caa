// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_COLUMNS_GLSL
#define H264_FILTER_COLUMNS_GLSL

#include "h264/filter_io.glsl"

// Between words as they lie in memory and words of two lines, 16 bits each, as the filters take
// them. 4x4 samples: column[i] has sample i of four lines, in the halves of .x lines 0 and 1, in
// those of .y lines 2 and 3. For edges between rows of samples "lines" are the four columns.
struct Columns {
    uvec2 column[4];
};

// a: halves 0 and 1 of a line, b: those of the next line. Returns half 0 of both, half 1 of both.
uvec2 low_halves(uvec2 a, uvec2 b) { return (a & 0xffffu) + (b << 16); }

uvec2 high_halves(uvec2 a, uvec2 b) { return (a >> 16) + (b & 0xffff0000u); }

const uint BYTES = 0x00ff00ffu;

Columns to_columns(Block block) {
    Columns c;
#ifdef HIGH_DEPTH
    uvec2 even = uvec2(block.line[0].x, block.line[2].x);
    uvec2 odd = uvec2(block.line[1].x, block.line[3].x);
    c.column[0] = low_halves(even, odd);
    c.column[1] = high_halves(even, odd);
    even = uvec2(block.line[0].y, block.line[2].y);
    odd = uvec2(block.line[1].y, block.line[3].y);
    c.column[2] = low_halves(even, odd);
    c.column[3] = high_halves(even, odd);
#else
    uvec2 even = uvec2(block.line[0], block.line[2]);
    uvec2 odd = uvec2(block.line[1], block.line[3]);
    uvec2 left = low_halves(even, odd);
    uvec2 right = high_halves(even, odd);
    c.column[0] = left & BYTES;
    c.column[1] = left >> 8 & BYTES;
    c.column[2] = right & BYTES;
    c.column[3] = right >> 8 & BYTES;
#endif
    return c;
}

Block to_lines(Columns c) {
    Block block;
#ifdef HIGH_DEPTH
    uvec2 even0 = low_halves(c.column[0], c.column[1]);
    uvec2 odd0 = high_halves(c.column[0], c.column[1]);
    uvec2 even1 = low_halves(c.column[2], c.column[3]);
    uvec2 odd1 = high_halves(c.column[2], c.column[3]);
    block.line[0] = uvec2(even0.x, even1.x);
    block.line[1] = uvec2(odd0.x, odd1.x);
    block.line[2] = uvec2(even0.y, even1.y);
    block.line[3] = uvec2(odd0.y, odd1.y);
#else
    uvec2 left = c.column[0] + (c.column[1] << 8);
    uvec2 right = c.column[2] + (c.column[3] << 8);
    uvec2 even = low_halves(left, right);
    uvec2 odd = high_halves(left, right);
    block.line[0] = even.x;
    block.line[1] = odd.x;
    block.line[2] = even.y;
    block.line[3] = odd.y;
#endif
    return block;
}

// Columns 0 and 1 only.
Columns first_columns(Block block) {
    Columns c;
#ifdef HIGH_DEPTH
    uvec2 even = uvec2(block.line[0].x, block.line[2].x);
    uvec2 odd = uvec2(block.line[1].x, block.line[3].x);
    c.column[0] = low_halves(even, odd);
    c.column[1] = high_halves(even, odd);
#else
    uvec2 left = low_halves(uvec2(block.line[0], block.line[2]),
                            uvec2(block.line[1], block.line[3]));
    c.column[0] = left & BYTES;
    c.column[1] = left >> 8 & BYTES;
#endif
    return c;
}

Block without_first_column(Block block) {
#ifdef HIGH_DEPTH
    [[unroll]] for (uint i = 0; i < 4; i++) block.line[i].x &= 0xffff0000u;
#else
    [[unroll]] for (uint i = 0; i < 4; i++) block.line[i] &= 0xffffff00u;
#endif
    return block;
}

// Puts column 0 into lines in which it is 0.
Block with_first_column(Block block, uvec2 column) {
#ifdef HIGH_DEPTH
    block.line[0].x += column.x & 0xffffu;
    block.line[1].x += column.x >> 16;
    block.line[2].x += column.y & 0xffffu;
    block.line[3].x += column.y >> 16;
#else
    block.line[0] += column.x & 0xffffu;
    block.line[1] += column.x >> 16;
    block.line[2] += column.y & 0xffffu;
    block.line[3] += column.y >> 16;
#endif
    return block;
}

// A row of 4 samples: columns 0 and 2 in .x, 1 and 3 in .y; above 8 bits 0 and 1, 2 and 3.
uvec2 to_row(Quad quad) {
#ifdef HIGH_DEPTH
    return quad;
#else
    return uvec2(quad, quad >> 8) & BYTES;
#endif
}

Quad from_row(uvec2 row) {
#ifdef HIGH_DEPTH
    return row;
#else
    return row.x + (row.y << 8);
#endif
}

Columns to_rows(Block block) {
    Columns rows;
    [[unroll]] for (uint i = 0; i < 4; i++) rows.column[i] = to_row(block.line[i]);
    return rows;
}

Block from_rows(Columns rows) {
    Block block;
    [[unroll]] for (uint i = 0; i < 4; i++) block.line[i] = from_row(rows.column[i]);
    return block;
}

// rows[i] as the columns of a block and back.
Columns rows_to_columns(Columns rows) {
    Columns c;
    uvec2 even = uvec2(rows.column[0].x, rows.column[2].x);
    uvec2 odd = uvec2(rows.column[1].x, rows.column[3].x);
#ifdef HIGH_DEPTH
    const uint second = 1u, third = 2u;
#else
    const uint second = 2u, third = 1u;
#endif
    c.column[0] = low_halves(even, odd);
    c.column[second] = high_halves(even, odd);
    even = uvec2(rows.column[0].y, rows.column[2].y);
    odd = uvec2(rows.column[1].y, rows.column[3].y);
    c.column[third] = low_halves(even, odd);
    c.column[3] = high_halves(even, odd);
    return c;
}

Columns columns_to_rows(Columns c) {
    Columns rows;
#ifdef HIGH_DEPTH
    const uint second = 1u, third = 2u;
#else
    const uint second = 2u, third = 1u;
#endif
    uvec2 even0 = low_halves(c.column[0], c.column[second]);
    uvec2 odd0 = high_halves(c.column[0], c.column[second]);
    uvec2 even1 = low_halves(c.column[third], c.column[3]);
    uvec2 odd1 = high_halves(c.column[third], c.column[3]);
    rows.column[0] = uvec2(even0.x, even1.x);
    rows.column[1] = uvec2(odd0.x, odd1.x);
    rows.column[2] = uvec2(even0.y, even1.y);
    rows.column[3] = uvec2(odd0.y, odd1.y);
    return rows;
}

#endif
