// SPDX-License-Identifier: BSD-2-Clause
// PSNR-HVS-M: what the terms of a window do to a float sum whose exponent is known, for both
// parities of that sum (libv3doff/metrics/psnr_hvs_sum.hpp). An invocation has one window.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#define METRIC_DEPTH 16
#include "metrics/buffers.glsl"

layout(local_size_x = 64) in;
layout(std430, push_constant) uniform Push { HvsPush push; };

void main() {
    uint number = gl_GlobalInvocationID.x;
    if (number >= push.count) return;
    uint before = scratch[push.sums + number];
    bool none = int(before) < 0;
    uint exponent = none ? 0u : before >> 23u;
    uvec2 sums = uvec2(0u); // from an even, from an odd sum
    bool large = false;
    for (uint i = 0; i < 64u; i++) {
        uint bits = scratch[push.coefficients + i * push.count + number];
        uint mantissa = bits & 0x7fffffu | 0x800000u, own = bits >> 23u;
        if (own == 0u) continue;
        large = large || own > exponent;
        uint shift = min(exponent - own, 31u);
        uint whole = mantissa >> shift, rest = mantissa & ((1u << shift) - 1u);
        uint half_unit = shift == 0u ? 1u : 1u << (shift - 1u); // shift 0: rest is 0, below half
        uint up = rest > half_unit ? 1u : 0u;
        uvec2 tie = rest == half_unit ? (sums + uvec2(0u, 1u) + whole) & 1u : uvec2(0u);
        sums += whole + up + tie;
    }
    uint even = large ? 0x3fffffffu : sums.x;
    uint difference = sums.y - sums.x + 128u; // -64 to 64
    uint at = push.result + 2u * (push.first + number);
    scratch[at] = none ? 0u : even;
    scratch[at + 1u] = none ? 128u << 8u : (difference & 0xffffu) << 8u | exponent;
}
