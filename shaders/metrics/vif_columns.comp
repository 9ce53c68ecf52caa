// SPDX-License-Identifier: BSD-2-Clause
// VIF, the vertical filter of one scale: means, squares and product of both planes. An invocation
// has the samples of one word; VIF_PACKED: the scale is an image in the scratch buffer, a word a
// sample (reference | distorted << 16).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "metrics/buffers.glsl"
#include "metrics/vif_taps.glsl"

layout(local_size_x = 64, local_size_y = 4) in;
layout(std430, push_constant) uniform Push { VifPush push; };

#ifdef VIF_PACKED
const uint SAMPLES = 1, SHIFT = 16;
#else
const uint SAMPLES = PER_WORD;
#endif

struct Sums {
    uint mean_r, mean_d;
#if METRIC_DEPTH == 8 && !defined(VIF_PACKED)
    uint rr, dd, rd;
#else
    uvec2 rr, dd, rd;
#endif
};

void add(inout Sums sums, uint tap, uint r, uint d) {
    sums.mean_r += tap * r;
    sums.mean_d += tap * d;
#if METRIC_DEPTH == 8 && !defined(VIF_PACKED)
    sums.rr += tap * (r * r);
    sums.dd += tap * (d * d);
    sums.rd += tap * (r * d);
#else
    weigh(sums.rr, tap, r * r);
    weigh(sums.dd, tap, d * d);
    weigh(sums.rd, tap, r * d);
#endif
}

#if METRIC_DEPTH == 8 && !defined(VIF_PACKED)
uint squared(uint sum) { return sum; }
#elif !defined(VIF_PACKED)
// round(sum / 2^(2 depth - 16)): the upper half moves left by what is missing to 2^16.
uint squared(uvec2 sum) {
    uint shift = 2u * push.depth - 16u;
    return (sum.y << (16u - shift)) + ((sum.x + (1u << (shift - 1u))) >> shift);
}
#else
uint squared(uvec2 sum) { return weighed(sum); }
#endif

void store(uint x, uint row, Sums sums) {
    if (x >= push.width) return;
#ifdef VIF_PACKED
    uint shift = SHIFT;
#else
    uint shift = push.depth;
#endif
    uint half_unit = 1u << (shift - 1u);
    uint plane = push.rows * push.width, at = push.target + row * push.width + x;
    scratch[at] = (sums.mean_r + half_unit) >> shift | ((sums.mean_d + half_unit) >> shift) << 16u;
    scratch[at + plane] = squared(sums.rr);
    scratch[at + 2u * plane] = squared(sums.dd);
    scratch[at + 3u * plane] = squared(sums.rd);
}

void main() {
    uint word = gl_GlobalInvocationID.x, row = gl_GlobalInvocationID.y;
    if (word * SAMPLES >= push.width || row >= push.rows) return;
    Sums sums[SAMPLES];
    [[unroll]] for (uint n = 0; n < SAMPLES; n++)
#if METRIC_DEPTH == 8 && !defined(VIF_PACKED)
        sums[n] = Sums(0, 0, 0, 0, 0);
#else
        sums[n] = Sums(0, 0, uvec2(0), uvec2(0), uvec2(0));
#endif
    [[unroll]] for (int k = 0; k < VIF_TAPS; k++) {
        uint y = reflected(int(push.first + row) + k - RADIUS, push.height);
#ifdef VIF_PACKED
        uint both = scratch[push.source + y * push.width + word];
        add(sums[0], TAPS[k], both & 0xffffu, both >> 16u);
#else
        uint r = samples[y * push.stride + word], d = arena[y * push.stride + word];
        [[unroll]] for (uint n = 0; n < SAMPLES; n++)
            add(sums[n], TAPS[k], part(r, n), part(d, n));
#endif
    }
    [[unroll]] for (uint n = 0; n < SAMPLES; n++)
        store(word * SAMPLES + n, row, sums[n]);
}
