// SPDX-License-Identifier: BSD-2-Clause
// motion_v2: sums of |blur(previous - current)|. An invocation has the samples of one word in each
// of 8 rows. Columns beyond the border are reflected from those it has.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "metrics/buffers.glsl"
#include "metrics/reduce.glsl"

layout(local_size_x = METRIC_TILE_X, local_size_y = 8) in;
layout(std430, push_constant) uniform Push { MotionPush push; };

#if METRIC_DEPTH == 8
const int COLUMNS = 8; // two more on both sides
#else
const int COLUMNS = 6;
#endif
const int TAPS[5] = {3571, 16004, 26386, 16004, 3571};

uint reflect_row(int y) {
    y = abs(y);
    return uint(min(y, 2 * int(push.height) - 2 - y));
}

// Adds tap times previous - current of the columns.
void add_row(uint at, uint x, int tap, inout int sums[COLUMNS]) {
    uint before = at + max(x, 1u) - 1u, behind = at + min(x + 1u, push.stride - 1u);
    uint p[3] = {arena[before], arena[at + x], arena[behind]};
    uint c[3] = {samples[before], samples[at + x], samples[behind]};
    [[unroll]] for (int n = 0; n < COLUMNS; n++) {
        int from = n + int(PER_WORD) - 2; // in the three words
        int word = from / int(PER_WORD), place = from % int(PER_WORD);
        sums[n] += tap * (int(part(p[word], uint(place))) - int(part(c[word], uint(place))));
    }
}

void reflect_columns(uint x, inout int sums[COLUMNS]) {
    if (x == 0u) {
        sums[1] = sums[3];
        sums[0] = sums[4];
    }
    int first = int(x * PER_WORD) - 2;
    if (first + 3 == int(push.width)) sums[3] = sums[1]; // one sample is left in the last word
    [[unroll]] for (int n = 4; n < COLUMNS; n++)
        sums[n] = first + n == int(push.width)       ? sums[n - 2]
                  : first + n == int(push.width) + 1 ? sums[n - 4]
                                                     : sums[n];
}

// round(sum of taps / 2^16) in magnitude; the sum itself may need 34 bits.
uint blurred(int v[5]) {
    int high = 0, low = 0;
    [[unroll]] for (int k = 0; k < 5; k++) {
        high += TAPS[k] * (v[k] >> 8);
        low += TAPS[k] * (v[k] & 0xff);
    }
    return uint(abs((high + ((low + 32768) >> 8)) >> 8));
}

uint row_sum(uint x, uint y) {
    int sums[COLUMNS];
    [[unroll]] for (int n = 0; n < COLUMNS; n++)
        sums[n] = 1 << (push.depth - 1u);
    [[unroll]] for (int k = 0; k < 5; k++)
        add_row(reflect_row(int(y) + k - 2) * push.stride, x, TAPS[k], sums);
    [[unroll]] for (int n = 0; n < COLUMNS; n++)
        sums[n] >>= push.depth;
    reflect_columns(x, sums);
    uint total = 0;
    [[unroll]] for (int n = 0; n < int(PER_WORD); n++) {
        int around[5] = {sums[n], sums[n + 1], sums[n + 2], sums[n + 3], sums[n + 4]};
        uint value = blurred(around);
        total += x * PER_WORD + uint(n) < push.width ? value : 0u;
    }
    return total;
}

void main() {
    uint x = gl_GlobalInvocationID.x, first = gl_WorkGroupID.y * METRIC_TILE_Y;
    uint sum = 0;
    for (uint row = gl_LocalInvocationID.y; row < METRIC_TILE_Y; row += 8u) {
        uint y = first + row;
        if (x * PER_WORD < push.width && y < push.height) sum += row_sum(x, y);
    }
    uint total = reduce(sum); // below 2^29
    if (gl_LocalInvocationIndex == 0u) scratch[push.result + group_number()] = total;
}
