// SPDX-License-Identifier: BSD-2-Clause
// The sum of squared differences of two planes.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "metrics/buffers.glsl"
#include "metrics/reduce.glsl"

layout(local_size_x = METRIC_TILE_X, local_size_y = 8) in;
layout(std430, push_constant) uniform Push { PsnrPush push; };

uint squares_of(uint r, uint d) {
    uint sum = 0;
    [[unroll]] for (uint n = 0; n < PER_WORD; n++) {
        int difference = int(part(r, n)) - int(part(d, n));
        sum += uint(difference * difference);
    }
    return sum;
}

void main() {
    uint x = gl_GlobalInvocationID.x, first = gl_WorkGroupID.y * METRIC_TILE_Y;
    uint sum = 0; // of 8 rows: below 2^29
    for (uint row = gl_LocalInvocationID.y; row < METRIC_TILE_Y; row += 8u) {
        uint y = first + row;
        if (x < push.words && y < push.height) {
            uint at = y * push.stride + x;
            sum += squares_of(samples[at], arena[at]);
        }
    }
    uint low = reduce(sum & 0xffffu), high = reduce(sum >> 16u);
    if (gl_LocalInvocationIndex == 0u) {
        uint at = push.result + 2u * group_number();
        scratch[at] = low;
        scratch[at + 1u] = high;
    }
}
