// SPDX-License-Identifier: BSD-2-Clause
// Copies the rows of copy_in.comp back to the CPU's memory.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#define COPY_PART_WORDS 1
#include "common/copy_rows.glsl"

layout(std430, binding = 0) readonly buffer Samples { uint samples[]; };
layout(std430, binding = 4) writeonly buffer HostSamples { uint host_samples[]; };

const uint STEPS = GROUP_PARTS / COPY_LANES;

void main() {
    Share share = share_of_rows(gl_WorkGroupID.x);
    [[unroll]] for (uint i = 0; i < STEPS; i++) {
        uint from_here = i * COPY_LANES;
        if (from_here < share.left && from_here >= share.beside)
            host_samples[share.at + from_here] = samples[share.at + from_here];
    }
}
