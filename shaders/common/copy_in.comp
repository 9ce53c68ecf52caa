// SPDX-License-Identifier: BSD-2-Clause
// Copies rows of a picture and the arena into the device's own memory, and the rows into the
// backup. One dispatch reads all once over the bus. Three copy commands would make the device wait
// between them, for a quarter of its time for a band of a picture.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#define COPY_PART_WORDS 4
#include "common/copy_rows.glsl"

layout(std430, binding = 0) writeonly buffer Samples { uvec4 samples[]; };
layout(std430, binding = 1) writeonly buffer Arena { uvec4 arena[]; };
layout(std430, binding = 4) readonly buffer HostSamples { uvec4 host_samples[]; };
layout(std430, binding = 5) readonly buffer HostArena { uvec4 host_arena[]; };
layout(std430, binding = 6) writeonly buffer Backup { uvec4 backup[]; };

void main() {
    uint group = gl_WorkGroupID.x;
    if (group >= push.arena_group) {
        uint at = (group - push.arena_group) * GROUP_PARTS + gl_LocalInvocationID.x;
        if (at < push.arena_parts) arena[at] = host_arena[at];
        return;
    }
    Share share = share_of_rows(group);
    if (share.left == 0) return;
    uvec4 part = host_samples[share.at];
    samples[share.at] = part;
    if (push.keep != 0) backup[share.kept] = part;
}
