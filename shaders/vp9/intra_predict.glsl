// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_INTRA_PREDICT_GLSL
#define VP9_INTRA_PREDICT_GLSL

#include "records/vp9_intra.h"

// Prediction of a transform block from the samples around it, VP9 bitstream specification 8.5.1.
// They stand in cells[], in one line: the corner at INTRA_CORNER, behind it those above from left to
// right, before it those on the left from top to bottom.
const int INTRA_CORNER = 32;
const uint INTRA_SUMS = 128; // eight partial sums

const uint INTRA_IN_WORD = 4 / ITX_WORDS_OF_FOUR;
const uint INTRA_BITS = 32 / INTRA_IN_WORD;

uint intra_load(uint row, int x) {
    // The sample on the left is in the word before.
    uint at = uint(x + 4);
    uint word = samples[row + at / INTRA_IN_WORD - ITX_WORDS_OF_FOUR];
    return word >> at % INTRA_IN_WORD * INTRA_BITS & (1u << INTRA_BITS) - 1;
}

void intra_load_edges(uint at, uint stride, uint shape, int n, int wide) {
    int i = int(gl_LocalInvocationID.x) - INTRA_CORNER;
    bool above = (shape & INTRA_HAS_ABOVE) != 0, left = (shape & INTRA_HAS_LEFT) != 0;
    uint middle = push.sample_max + 1 >> 1, value;
    if (i < -n || i > wide) return;
    if (i > 0) {
        value = middle - 1;
        if (above) value = intra_load(at - stride, min(i, int(shape >> 8 & 0xffu)) - 1);
    } else if (i < 0) {
        value = middle + 1;
        if (left) value = intra_load(at + uint(min(-i, int(shape >> 16 & 0xffu)) - 1) * stride, -1);
    } else {
        value = above ? middle + 1 : middle - 1;
        if (above && left) value = intra_load(at - stride, -1);
    }
    cells[gl_LocalInvocationID.x] = value;
}

struct IntraEdges {
    int n, wide; // samples on the left, and above
};

int intra_edge(IntraEdges edges, int i) {
    return int(cells[INTRA_CORNER + clamp(i, -edges.n, edges.wide)]);
}

int intra_average_2(IntraEdges edges, int i) {
    return intra_edge(edges, i) + intra_edge(edges, i + 1) + 1 >> 1;
}

int intra_average_3(IntraEdges edges, int i) {
    return intra_edge(edges, i - 1) + 2 * intra_edge(edges, i) + intra_edge(edges, i + 1) + 2 >> 2;
}

// Along lines that lead down and to the right, more down than right; `sign` -1 exchanges both.
int intra_steep(IntraEdges edges, int x, int y, int sign) {
    int at = x - (y >> 1);
    bool odd = (y & 1) != 0;
    if (at >= 0 && !odd) return intra_average_2(edges, sign > 0 ? at : -at - 1);
    int center = at >= 0 ? at : 2 * at + 1 - int(odd);
    return intra_average_3(edges, sign * center);
}

int intra_sample(IntraEdges edges, uint mode, int x, int y, int flat_value) {
    if (mode == INTRA_VERTICAL) return intra_edge(edges, 1 + x);
    if (mode == INTRA_HORIZONTAL) return intra_edge(edges, -1 - y);
    if (mode == INTRA_DOWN_LEFT)
        // The last sample of a 4x4 block is not averaged.
        return edges.n == 4 && x + y == 6 ? intra_edge(edges, 8)
                                          : intra_average_3(edges, 2 + x + y);
    if (mode == INTRA_DOWN_RIGHT) return intra_average_3(edges, x - y);
    if (mode == INTRA_VERTICAL_RIGHT) return intra_steep(edges, x, y, 1);
    if (mode == INTRA_HORIZONTAL_DOWN) return intra_steep(edges, y, x, -1);
    if (mode == INTRA_VERTICAL_LEFT) {
        int at = 1 + x + (y >> 1);
        return (y & 1) != 0 ? intra_average_3(edges, at + 1) : intra_average_2(edges, at);
    }
    if (mode == INTRA_HORIZONTAL_UP) {
        int at = -1 - y - (x >> 1);
        return (x & 1) != 0 ? intra_average_3(edges, at - 1) : intra_average_2(edges, at - 1);
    }
    if (mode == INTRA_TRUE_MOTION)
        return clamp(intra_edge(edges, -1 - y) + intra_edge(edges, 1 + x) - intra_edge(edges, 0), 0,
                     int(push.sample_max));
    return flat_value;
}

// The value of a block that is all one: a mean of samples, of which eight invocations add up a part
// each, or the middle of the range.
int intra_flat(uint mode, uint log2) {
    int n = 1 << log2;
    bool above = mode == INTRA_DC || mode == INTRA_DC_ABOVE;
    bool left = mode == INTRA_DC || mode == INTRA_DC_LEFT;
    if (above || left) {
        int lane = int(gl_LocalInvocationID.x), part = n / 4;
        if (lane < 8) {
            uint sum = 0;
            bool mine = lane < 4 ? left : above;
            int from = INTRA_CORNER + (lane < 4 ? -n : 1 - n) + lane * part;
            for (int i = 0; mine && i < part; i++) sum += cells[from + i];
            cells[INTRA_SUMS + lane] = sum;
        }
        barrier();
        uint sum = 0;
        [[unroll]] for (uint i = 0; i < 8; i++) sum += cells[INTRA_SUMS + i];
        uint bits = log2 + uint(above && left);
        return int(sum + (1u << bits >> 1) >> bits);
    }
    int middle = int(push.sample_max + 1 >> 1);
    return middle - int(mode == INTRA_DC_127) + int(mode == INTRA_DC_129);
}

// at: word of the block's first sample. All invocations call it together.
void intra_predict(uint at, uint stride, uint shape) {
    uint mode = shape & 15u, log2 = shape >> 4 & 15u;
    IntraEdges edges = IntraEdges(1 << log2, log2 == 2 ? 8 : 1 << log2);
    intra_load_edges(at, stride, shape, edges.n, edges.wide);
    barrier();
    int flat_value = 0;
    if (mode == INTRA_DC || mode >= INTRA_DC_LEFT) flat_value = intra_flat(mode, log2);
    uint across_log2 = log2 - (ITX_WORDS_OF_FOUR == 1 ? 2 : 1);
    for (uint w = gl_LocalInvocationID.x; w < 1u << log2 + across_log2; w += ITX_LANES) {
        uint y = w >> across_log2, column = w - (y << across_log2), word = 0;
        [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++)
            word += uint(intra_sample(edges, mode, int(column * INTRA_IN_WORD + i), int(y),
                                      flat_value))
                    << i * INTRA_BITS;
        samples[at + y * stride + column] = word;
    }
}

#endif
