// SPDX-License-Identifier: BSD-2-Clause
// H.264 motion: gives the records of each bucket their place, and makes its workgroups. An
// invocation has one bucket.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "records/h264_inter.h"
#include "records/h264_motion.h"

layout(local_size_x = MOTION_LANES) in;
layout(std430, set = 0, binding = 1) buffer Arena { uint arena[]; };
layout(std430, set = 0, binding = 1) buffer ArenaPairs { uvec2 arena_pairs[]; };
layout(push_constant) uniform Push { MotionPush push; };

void main() {
    uint number = gl_GlobalInvocationID.x;
    if (number >= push.key_count * MOTION_BUCKETS) return;
    uint count = arena[push.buckets + number];
    if (count == 0u) return;
    uint first = atomicAdd(arena[push.placed], count);
    arena[push.buckets + number] = first;
    uint key = push.keys + number / MOTION_BUCKETS * 4u;
    uint groups = arena[key], weighted = arena[key + 2u];
    for (uint plane = 0u; plane < 3u; plane++) {
        uint shape = arena[push.shapes + (plane * 2u + weighted) * MOTION_BUCKETS +
                           number % MOTION_BUCKETS];
        if (shape == 0xffffffffu) continue; // there is no such plane
        uint most = INTER_LANES >> unpack(shape, INTER_GROUP_LANES_LOG2);
        uint at = atomicAdd(arena[key + 1u], (count + most - 1u) / most);
        for (uint done = 0u; done < count; done += most)
            arena_pairs[(groups >> 1) + at++] =
                uvec2(push.records + (first + done) * 4u,
                      shape | pack(min(most, count - done), INTER_GROUP_COUNT));
    }
}
