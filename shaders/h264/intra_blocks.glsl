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
    if (mode <= INTRA_HORIZONTAL) return intra_edge(edges, sign * (1 + x));
    bool three = true;
    int b = x - y; // INTRA_DOWN_RIGHT
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
    int a = b - 1, c = three ? b + 1 : a;
    return intra_edge(edges, sign * a) + 2 * intra_edge(edges, sign * b) +
               intra_edge(edges, sign * c) + 2 >> 2;
}

void intra_add_and_keep(IntraItem item, uint value, uint x, uint y) {
    uint block = (y >> 2) * 4 + (x >> 2);
    if ((item.coded >> block & 1u) != 0)
        value = intra_part(intra_sum(item, int(value) + intra_residual(item.source + y * 8, x)), 0);
    cells[item.corner + (y + 1) * INTRA_ROW + x + 1] = value;
}

// 8.3.2.2.1: each invocation filters one of the 25 samples around a block.
void intra_filter(IntraItem item, IntraEdges edges, uint block) {
    if (item.lane > 24) return;
    bool has_corner = (item.available >> block & 1u) != 0;
    int i = int(item.lane) - 8;
    int before = i == 1 && !has_corner ? i : i - 1;
    int behind = i == -1 && !has_corner ? i : i + 1;
    cells[item.line + item.lane] = intra_edge(edges, before) + 2 * intra_edge(edges, i) +
                                       intra_edge(edges, behind) + 2 >> 2;
}

// 4x4: half of the invocations have one block, the others another one. 8x8: filtering a block's
// edges and predicting it take turns.
void intra_blocks(IntraItem item, uint phase) {
    bool small = item.kind == INTRA_BLOCKS_4;
    uint second = small ? item.lane >> 4 : 0;
    uint row = (phase >> 1) - second, column = (phase & 1) + 2 * second; // in blocks
    if (!small) {
        row = phase >> 2;
        column = phase >> 1 & 1;
    }
    if (row > (small ? 3 : 1)) return; // -1 too
    uint block = row * (small ? 4 : 2) + column;
    uint log2 = small ? 2 : 3;
    IntraEdges edges;
    edges.corner = item.corner + (row * INTRA_ROW + column << log2);
    edges.down = int(INTRA_ROW);
    edges.n = 1 << log2;
    edges.wide = (item.available >> block + (small ? 0 : 4) & 1u) != 0 ? 2 * edges.n : edges.n;
    if (!small) {
        if ((phase & 1) == 0) {
            intra_filter(item, edges, block);
            return;
        }
        edges.corner = item.line + 8;
        edges.down = -1;
        edges.wide = 16;
    }
    uint mode = (block < 8 ? item.modes_low : item.modes_high) >> (block & 7) * 4 & 15u;
    uint lane = small ? item.lane & 15 : item.lane;
    [[dont_unroll]] do {
        uint x = lane & (1u << log2) - 1, y = lane >> log2;
        uint value = intra_block_sample(edges, mode, int(x), int(y));
        intra_add_and_keep(item, value, (column << log2) + x, (row << log2) + y);
        lane += INTRA_LANES;
    } while (lane < (small ? 16 : 64));
}

// The macroblock from its cells to the picture, words of each row beside each other.
void intra_store_blocks(IntraItem item) {
    const uint row_log2 = 4 - INTRA_WORD_LOG2;
    [[dont_unroll]] for (uint w = item.lane; w < 16u << row_log2; w += INTRA_LANES) {
        uint y = w >> row_log2, column = w & (1u << row_log2) - 1, word = 0;
        uint unit = (item.corner + 1 >> INTRA_WORD_LOG2) + (y + 1) * (INTRA_ROW / INTRA_IN_WORD) + column;
        [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++)
            word += cells[unit * INTRA_IN_WORD + i] << i * INTRA_BITS;
        samples[item.at + y * item.stride + column] = word;
    }
}

#endif
