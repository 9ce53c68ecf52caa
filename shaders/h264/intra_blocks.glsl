// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_INTRA_BLOCKS_GLSL
#define H264_INTRA_BLOCKS_GLSL

// Blocks of 4x4 and 8x8. An invocation has one sample of a block.

// The samples around a block, ITU-T H.264 8.3.1.2: 0 is the corner, above it from left to right are
// 1 and more, on the left from top to bottom -1 and less. Behind the last one it is repeated.
struct IntraEdges {
    uint corner; // cell
    int down;    // cells from one on the left to the next one
    int n, wide; // on the left, above
};

uint intra_edge(IntraEdges edges, int i) {
    int steps = i < 0 ? -max(i, -edges.n) * edges.down : min(i, edges.wide);
    return cells[uint(int(edges.corner) + steps)];
}

// Four samples above, or on the left.
uint intra_sum_of_four(uint cell, int step) {
    uint sum = 0;
    [[unroll]] for (int i = 0; i < 4; i++) sum += cells[uint(int(cell) + i * step)];
    return sum;
}

uint intra_block_flat(IntraEdges edges, uint mode) {
    if (mode == INTRA_DC_128) return push.sample_max + 1 >> 1;
    uint sum = 0;
    [[dont_unroll]] for (int i = 0; i < edges.n; i += 4) {
        if (mode != INTRA_DC_LEFT) sum += intra_sum_of_four(edges.corner + 1 + i, 1);
        if (mode != INTRA_DC_ABOVE)
            sum += intra_sum_of_four(uint(int(edges.corner) + (1 + i) * edges.down), edges.down);
    }
    uint bits = (edges.n == 8 ? 3 : 2) + uint(mode == INTRA_DC);
    return sum + (1u << bits >> 1) >> bits;
}

// Every sample of the other modes is (a + 2 * b + c + 2) >> 2 of three around the block; of one
// alone, or of two, some of them are the same. What leads from the left to the right is the mode
// that leads downwards with rows and columns exchanged.
uint intra_block_sample(IntraEdges edges, uint mode, int x, int y) {
    if (mode == INTRA_DC || mode >= INTRA_DC_LEFT) return intra_block_flat(edges, mode);
    int sign = 1;
    if (mode == INTRA_HORIZONTAL || mode == INTRA_HORIZONTAL_DOWN || mode == INTRA_HORIZONTAL_UP) {
        int other = x;
        x = y, y = other;
        sign = -1;
    }
    bool odd = (y & 1) != 0;
    int a, b, c;
    if (mode <= INTRA_HORIZONTAL) {
        a = b = c = 1 + x;
    } else {
        bool three = true;
        b = x - y; // INTRA_DOWN_RIGHT
        if (mode == INTRA_DOWN_LEFT) b = 2 + x + y;
        if (mode == INTRA_VERTICAL_RIGHT || mode == INTRA_HORIZONTAL_DOWN) {
            int at = x - (y >> 1);
            three = odd || at < 0;
            b = at < 0 ? 2 * at + 1 - int(odd) : three ? at : at + 1;
        }
        if (mode == INTRA_VERTICAL_LEFT || mode == INTRA_HORIZONTAL_UP) {
            b = 2 + x + (y >> 1);
            three = odd;
        }
        a = b - 1;
        c = three ? b + 1 : a;
    }
    return intra_edge(edges, sign * a) + 2 * intra_edge(edges, sign * b) +
               intra_edge(edges, sign * c) + 2 >> 2;
}

void intra_add_and_keep(IntraItem item, uint value, uint x, uint y) {
    uint block = (y >> 2) * 4 + (x >> 2);
    if ((item.coded >> block & 1u) != 0)
        value = intra_clip(int(value) + intra_residual(item.source + y * 8, x));
    cells[item.corner + (y + 1) * INTRA_ROW + x + 1] = value;
}

// Two blocks of a phase, half of the invocations each.
void intra_4x4(IntraItem item, uint phase) {
    uint second = item.lane >> 4, row = (phase >> 1) - second;
    uint column = (phase & 1) + 2 * second;
    if (row > 3) return; // -1 too
    uint block = row * 4 + column;
    uint mode = (row < 2 ? item.modes_low : item.modes_high) >> (block & 7) * 4 & 15u;
    IntraEdges edges;
    edges.corner = item.corner + row * 4 * INTRA_ROW + column * 4;
    edges.down = int(INTRA_ROW);
    edges.n = 4;
    edges.wide = (item.available >> block & 1u) != 0 ? 8 : 4;
    uint x = item.lane & 3, y = item.lane >> 2 & 3;
    uint value = intra_block_sample(edges, mode, int(x), int(y));
    intra_add_and_keep(item, value, column * 4 + x, row * 4 + y);
}

// 8.3.2.2.1: each invocation filters one of the 25 samples around a block.
void intra_filter(IntraItem item, uint corner, uint block) {
    if (item.lane > 24) return;
    IntraEdges edges;
    edges.corner = corner;
    edges.down = int(INTRA_ROW);
    edges.n = 8;
    edges.wide = (item.available >> 4 + block & 1u) != 0 ? 16 : 8;
    bool has_corner = (item.available >> block & 1u) != 0;
    int i = int(item.lane) - 8;
    int before = i == 1 && !has_corner ? i : i - 1;
    int behind = i == -1 && !has_corner ? i : i + 1;
    cells[item.line + item.lane] = intra_edge(edges, before) + 2 * intra_edge(edges, i) +
                                       intra_edge(edges, behind) + 2 >> 2;
}

void intra_8x8(IntraItem item, uint phase) {
    uint block = phase >> 1, column = (block & 1) * 8, row = (block >> 1) * 8;
    if (block > 3) return;
    if ((phase & 1) == 0) {
        intra_filter(item, item.corner + row * INTRA_ROW + column, block);
        return;
    }
    IntraEdges edges;
    edges.corner = item.line + 8;
    edges.down = -1;
    edges.n = 8;
    edges.wide = 16;
    uint mode = item.modes_low >> block * 4 & 15u;
    [[dont_unroll]] for (uint i = item.lane; i < 64; i += INTRA_LANES) {
        uint x = i & 7, y = i >> 3;
        uint value = intra_block_sample(edges, mode, int(x), int(y));
        intra_add_and_keep(item, value, column + x, row + y);
    }
}

// The macroblock from its cells to the picture, words of each row beside each other.
void intra_store_blocks(IntraItem item) {
    uvec2 place = intra_place(item, item.plane);
    const uint row_log2 = 4 - INTRA_WORD_LOG2;
    [[dont_unroll]] for (uint w = item.lane; w < 16u << row_log2; w += INTRA_LANES) {
        uint y = w >> row_log2, column = w & (1u << row_log2) - 1, word = 0;
        uint cell = item.corner + (y + 1) * INTRA_ROW + 1 + (column << INTRA_WORD_LOG2);
        [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++) word += cells[cell + i] << i * INTRA_BITS;
        samples[place.x + y * place.y + column] = word;
    }
}

#endif
