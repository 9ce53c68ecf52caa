// SPDX-License-Identifier: BSD-2-Clause
// PSNR-HVS-M: the approximate sum of all terms before each window, in one workgroup. A window
// without terms is marked by -1 instead. The sums only guide hvs_summary.comp and need not be
// exact.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#define METRIC_DEPTH 16
#include "metrics/buffers.glsl"

layout(local_size_x = METRIC_LANES) in;
layout(std430, push_constant) uniform Push { HvsPush push; };

shared float sums[METRIC_LANES];

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint share = (push.count + METRIC_LANES - 1u) / METRIC_LANES;
    uint first = min(lane * share, push.count), end = min(first + share, push.count);
    float sum = 0.0;
    for (uint n = first; n < end; n++)
        sum += uintBitsToFloat(scratch[push.sums + n]);
    sums[lane] = sum;
    barrier();
    for (uint step = 1; step < METRIC_LANES; step <<= 1u) {
        float before = lane >= step ? sums[lane - step] : 0.0;
        barrier();
        sums[lane] += before;
        barrier();
    }
    float carried = push.first == 0u ? 0.0 : uintBitsToFloat(scratch[push.carry]);
    float before = max(carried + sums[lane] - sum, 0.0); // the difference is rounded
    for (uint n = first; n < end; n++) {
        float own = uintBitsToFloat(scratch[push.sums + n]);
        scratch[push.sums + n] = floatBitsToUint(own == 0.0 ? -1.0 : before);
        before += own;
    }
    barrier();
    if (lane == METRIC_LANES - 1u) scratch[push.carry] = floatBitsToUint(carried + sums[lane]);
}
