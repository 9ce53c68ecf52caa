// SPDX-License-Identifier: BSD-2-Clause
// The rows of copy_in.comp back to where the CPU has them.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#define COPY_PART_WORDS 1
#include "core/copy_rows.glsl"

layout(std430, binding = 0) readonly buffer Samples { uint samples[]; };
layout(std430, binding = 4) writeonly buffer HostSamples { uint host_samples[]; };

void main() {
    Share share = share_of_rows(gl_WorkGroupID.x);
    [[unroll]] for (uint i = 0; i < GROUP_PARTS / COPY_LANES; i++)
        if (i * COPY_LANES < share.left)
            host_samples[share.at + i * COPY_LANES] = samples[share.at + i * COPY_LANES];
}
