// SPDX-License-Identifier: BSD-2-Clause
// PSNR-HVS-M: replaces the reference's coefficients by the 64 terms of a window, and writes their
// approximate sum. An invocation has one row of a window, a workgroup 32 windows.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#define METRIC_DEPTH 16
#include "metrics/buffers.glsl"
#include "metrics/exact_float.glsl"

layout(local_size_x = 32, local_size_y = 8) in;
layout(std430, push_constant) uniform Push { HvsPush push; };

shared float row_sums[METRIC_LANES];

float term_of(uint number, uint i, float mask) {
    uint at = push.coefficients + i * push.count + number;
    int difference = int(scratch[at]) - int(scratch[at + 64u * push.count]);
    precise float error = exact_float(uint(abs(difference)));
    if (i != 0u) {
        float threshold = exact_quotient(mask, uintBitsToFloat(scratch[push.tables + 64u + i]));
        error = error < threshold ? 0.0 : error - threshold;
    }
    precise float weighted = error * uintBitsToFloat(scratch[push.tables + i]);
    precise float term = weighted * weighted;
    scratch[at] = floatBitsToUint(term);
    return term;
}

void main() {
    uint number = gl_GlobalInvocationID.x, row = gl_LocalInvocationID.y;
    float sum = 0.0;
    if (number < push.count) {
        float mask = max(uintBitsToFloat(scratch[push.masks + number]),
                         uintBitsToFloat(scratch[push.masks + push.count + number]));
        [[unroll]] for (uint j = 0; j < 8u; j++)
            sum += term_of(number, 8u * row + j, mask);
    }
    row_sums[gl_LocalInvocationIndex] = sum;
    barrier();
    if (row == 0u && number < push.count) {
        [[unroll]] for (uint n = 1; n < 8u; n++)
            sum += row_sums[32u * n + gl_LocalInvocationID.x];
        scratch[push.sums + number] = floatBitsToUint(sum);
    }
}
