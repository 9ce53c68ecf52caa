// SPDX-License-Identifier: BSD-2-Clause
// VIF, from one scale to the next: the next scale's filter, every second sample kept. An invocation
// has one sample of the next scale, both planes of it. VIF_PACKED as in vif_columns.comp.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "metrics/buffers.glsl"
#include "metrics/vif_taps.glsl"

layout(local_size_x = 32, local_size_y = 8) in;
layout(std430, push_constant) uniform Push { VifPush push; };

uvec2 samples_at(uint x, uint y) {
#ifdef VIF_PACKED
    uint both = scratch[push.source + y * push.width + x];
    return uvec2(both & 0xffffu, both >> 16u);
#else
    uint at = y * push.stride + (x >> WORD_SHIFT), n = x & (PER_WORD - 1u);
    return uvec2(part(samples[at], n), part(arena[at], n));
#endif
}

void main() {
    uint width = push.width >> 1u, height = push.height >> 1u;
    uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
    if (x >= width || y >= height) return;
#ifdef VIF_PACKED
    const uint shift = 16u;
#else
    uint shift = push.depth;
#endif
    uvec2 row = uvec2(0u);
    [[dont_unroll]] for (int k = 0; k < VIF_TAPS; k++) {
        uint from_x = reflected(2 * int(x) + k - RADIUS, push.width);
        uvec2 column = uvec2(1u << (shift - 1u));
        [[unroll]] for (int i = 0; i < VIF_TAPS; i++)
            column += TAPS[i] * samples_at(from_x, reflected(2 * int(y) + i - RADIUS, push.height));
        row += push.taps[abs(k - RADIUS)] * (column >> shift);
    }
    row = (row + 32768u) >> 16u;
    scratch[push.target + y * width + x] = row.x | row.y << 16u;
}
