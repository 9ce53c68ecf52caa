// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_INTRA_EDGES_GLSL
#define VP9_INTRA_EDGES_GLSL

// The samples around a block, VP9 bitstream specification 8.5.1.1, in one line: the corner at
// INTRA_CORNER, behind it those above from left to right, before it those on the left from top to
// bottom.
const int INTRA_CORNER = 32;
const int INTRA_LINE = 65;   // the line of means
const uint INTRA_SUMS = 160; // eight partial sums

shared uint cells[INTRA_SUMS + 8];

uint intra_load(uint row, int x) {
    // The sample on the left is in the word before.
    uint at = uint(x + 4);
    return uint(intra_part(samples[row + (at >> INTRA_WORD_LOG2) - (4u >> INTRA_WORD_LOG2)],
                           at & INTRA_IN_WORD - 1));
}

// What is read: a place that is not there has a value that stands for it.
uint intra_sample_beside(IntraBlock block, int i) {
    bool above = (block.shape & INTRA_HAS_ABOVE) != 0, left = (block.shape & INTRA_HAS_LEFT) != 0;
    uint middle = push.sample_max + 1 >> 1;
    int x = i > 0 ? min(i, int(unpack(block.shape, INTRA_ABOVE))) - 1 : -1;
    int y = i < 0 ? min(-i, int(unpack(block.shape, INTRA_LEFT))) - 1 : -1;
    if ((i > 0 || left) && (i < 0 || above))
        return intra_load(block.at + uint(y) * block.stride, x);
    return i > 0 || i == 0 && !above ? middle - 1 : middle + 1;
}

void intra_load_edges(IntraBlock block) {
    for (int i = int(gl_LocalInvocationID.x) - block.n; i <= block.wide; i += int(INTRA_LANES))
        cells[INTRA_CORNER + i] = intra_sample_beside(block, i);
}

int intra_edge(IntraBlock block, int i) {
    return int(cells[INTRA_CORNER + clamp(i, -block.n, block.wide)]);
}

// The value of a block that is all one: a mean of samples, of which eight invocations add up a part
// each, or the middle of the range.
int intra_flat(IntraBlock block) {
    uint mode = block.mode;
    int n = block.n;
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
        uint bits = block.log2 + uint(above && left);
        return int(sum + (1u << bits >> 1) >> bits);
    }
    int middle = int(push.sample_max + 1 >> 1);
    return middle - int(mode == INTRA_DC_127) + int(mode == INTRA_DC_129);
}

#endif
