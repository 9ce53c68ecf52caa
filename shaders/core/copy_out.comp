// SPDX-License-Identifier: BSD-2-Clause
// The rows of copy_in.comp back to where the CPU has them, or those lines of its cache that have
// changed: filters leave half of a stream's lines and more as they were.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#define COPY_PART_WORDS 1
#include "core/copy_rows.glsl"

layout(std430, binding = 0) readonly buffer Samples { uint samples[]; };
layout(std430, binding = 4) writeonly buffer HostSamples { uint host_samples[]; };

const uint STEPS = GROUP_PARTS / COPY_LANES;

shared uint changed[GROUP_PARTS / COPY_LINE_WORDS];

void main() {
    uint lane = gl_LocalInvocationID.x;
    if (lane < GROUP_PARTS / COPY_LINE_WORDS) changed[lane] = push.whole;
    barrier();
    Share share = share_of_rows(gl_WorkGroupID.x);
    uint word[STEPS];
    bool inside[STEPS];
    [[unroll]] for (uint i = 0; i < STEPS; i++) {
        uint from_here = i * COPY_LANES;
        inside[i] = from_here < share.left && from_here >= share.beside;
        word[i] = 0;
        if (inside[i]) {
            word[i] = samples[share.at + from_here];
            if (word[i] != samples[push.before + share.at + from_here])
                atomicOr(changed[(from_here + lane) / COPY_LINE_WORDS], 1);
        }
    }
    barrier();
    [[unroll]] for (uint i = 0; i < STEPS; i++)
        if (inside[i] && changed[(i * COPY_LANES + lane) / COPY_LINE_WORDS] != 0)
            host_samples[share.at + i * COPY_LANES] = word[i];
}
