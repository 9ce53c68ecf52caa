// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_INTRA_MODES_GLSL
#define VP9_INTRA_MODES_GLSL

// Each sample from those around the block, VP9 bitstream specification 8.5.1.2.

int intra_average_2(IntraBlock block, int i) {
    return intra_edge(block, i) + intra_edge(block, i + 1) + 1 >> 1;
}

int intra_average_3(IntraBlock block, int i) {
    return intra_edge(block, i - 1) + 2 * intra_edge(block, i) + intra_edge(block, i + 1) + 2 >> 2;
}

// Along lines that lead down and to the right, more down than right; `sign` -1 exchanges both.
int intra_steep(IntraBlock block, int x, int y, int sign) {
    int at = x - (y >> 1);
    bool odd = (y & 1) != 0;
    if (at >= 0 && !odd) return intra_average_2(block, sign > 0 ? at : -at - 1);
    int center = at >= 0 ? at : 2 * at + 1 - int(odd);
    return intra_average_3(block, sign * center);
}

int intra_sample(IntraBlock block, int x, int y, int flat_value) {
    uint mode = block.mode;
    if (mode == INTRA_VERTICAL) return intra_edge(block, 1 + x);
    if (mode == INTRA_HORIZONTAL) return intra_edge(block, -1 - y);
    if (mode == INTRA_DOWN_LEFT)
        // The last sample of a 4x4 block is not averaged.
        return block.n == 4 && x + y == 6 ? intra_edge(block, 8)
                                          : intra_average_3(block, 2 + x + y);
    if (mode == INTRA_DOWN_RIGHT) return intra_average_3(block, x - y);
    if (mode == INTRA_VERTICAL_RIGHT) return intra_steep(block, x, y, 1);
    if (mode == INTRA_HORIZONTAL_DOWN) return intra_steep(block, y, x, -1);
    if (mode == INTRA_VERTICAL_LEFT) {
        int at = 1 + x + (y >> 1);
        return (y & 1) != 0 ? intra_average_3(block, at + 1) : intra_average_2(block, at);
    }
    if (mode == INTRA_HORIZONTAL_UP) {
        int at = -1 - y - (x >> 1);
        return (x & 1) != 0 ? intra_average_3(block, at - 1) : intra_average_2(block, at - 1);
    }
    if (mode == INTRA_TRUE_MOTION)
        return clamp(intra_edge(block, -1 - y) + intra_edge(block, 1 + x) - intra_edge(block, 0), 0,
                     int(push.sample_max));
    return flat_value;
}

#endif
