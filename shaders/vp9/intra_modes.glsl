// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_INTRA_MODES_GLSL
#define VP9_INTRA_MODES_GLSL

// Each sample from those around the block, VP9 bitstream specification 8.5.1.2. Modes with a
// direction first make a line of means in shared memory, one for each distance along the direction.
// After that each mode finds sample (x, y) of the block at one place:
//   base + x * step_x + y * step_y (one more step to the right in odd rows of INTRA_VERTICAL_RIGHT)

// A digit for each mode, that of INTRA_TRUE_MOTION first.
const uint INTRA_STEP_X = 01121211001;
const uint INTRA_STEP_Y = 02430113212; // + 2
const uint INTRA_BASE = 03220012213;   // + 2
const uint INTRA_BASE_EDGES = 00002110000; // how many edges of the block are added to it

int intra_digit(uint digits, uint mode) { return int(digits >> 3 * mode & 7u); }

bool intra_has_line(uint mode) { return mode >= INTRA_DOWN_LEFT && mode <= INTRA_HORIZONTAL_UP; }

// The mean at place `at` of the line: of two samples beside the block, or of one, the next one twice,
// and the one after.
uint intra_mean(IntraBlock block, int at) {
    uint mode = block.mode;
    int n = block.n, half_at = at >> 1;
    bool even = (at & 1) == 0, two = even;
    int center = at - n + 1; // INTRA_DOWN_RIGHT
    if (mode <= INTRA_DOWN_RIGHT) two = false;
    // The last sample of a 4x4 block is not averaged.
    if (mode == INTRA_DOWN_LEFT) center = n == 4 && at == 6 ? 9 : at + 2;
    if (mode == INTRA_VERTICAL_RIGHT) {
        center = half_at - (n >> 1) + 1;
        two = even && center >= 0;
        center += center < 0 ? center + int(even) : 0;
    }
    if (mode == INTRA_HORIZONTAL_DOWN) {
        int down = 2 * n - 2 - at;
        two = even && down >= 0;
        center = down < 0 ? -down - 1 : -(down + 2 >> 1);
    }
    if (mode == INTRA_VERTICAL_LEFT) center = half_at + (even ? 1 : 2);
    if (mode == INTRA_HORIZONTAL_UP) center = -2 - half_at;
    int here = intra_edge(block, center), next = intra_edge(block, center + 1);
    return uint(intra_edge(block, two ? center + 1 : center - 1) + 2 * here + next + 2 >> 2);
}

void intra_make_line(IntraBlock block) {
    int count = block.mode <= INTRA_DOWN_RIGHT ? 2 * block.n - 1 : 3 * block.n - 2;
    for (int at = int(gl_LocalInvocationID.x); at < count; at += int(INTRA_LANES))
        cells[INTRA_LINE + at] = intra_mean(block, at);
}

// Where samples are found.
struct IntraPlaces {
    int base, step_x, step_y;
};

IntraPlaces intra_places(IntraBlock block) {
    uint mode = min(block.mode, INTRA_TRUE_MOTION);
    IntraPlaces places;
    places.step_x = intra_digit(INTRA_STEP_X, mode);
    places.step_y = intra_digit(INTRA_STEP_Y, mode) - 2;
    places.base = (intra_has_line(mode) ? INTRA_LINE : INTRA_CORNER) + intra_digit(INTRA_BASE, mode) - 2 +
                  intra_digit(INTRA_BASE_EDGES, mode) * block.n;
    return places;
}

#endif
