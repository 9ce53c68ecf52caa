// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_IO_GLSL
#define VP9_RESIDUAL_IO_GLSL

#include "records/vp9_residual.h"

layout(local_size_x = RESIDUAL_LANES) in;

layout(std430, set = 0, binding = 0) buffer Samples {
    uint samples[];
};
// The arena, in units of two and of four words: V3D counts accesses, so four words at once cost it
// little more than one.
layout(std430, set = 0, binding = 1) readonly buffer ArenaPairs {
    uvec2 arena_pairs[];
};
layout(std430, set = 0, binding = 1) readonly buffer ArenaQuads {
    uvec4 arena_quads[];
};
layout(push_constant) uniform Push {
    ResidualPush push;
};

// From the first pass to the second; each size lays its blocks out in it in its own way.
shared uint cells[4096];

// The samples that a residual is added to: those of the picture, or where residuals are made for
// themselves, samples that are all the same.
uint residual_before(uint at) {
#ifdef RESIDUAL_ALONE
    return push.before;
#else
    return samples[at];
#endif
}

uvec2 residual_load_pair(uint word) {
    return arena_pairs[word >> 1];
}

// Four words of coefficients.
uvec4 residual_load(uint word) {
    return arena_quads[word >> 2];
}

// What one lane knows of the work: its block (a lane without one repeats the last, and stores
// nothing) and which of the block's lanes it is.
struct ResidualTask {
    uint kind;
    uint block;
    uint lane;
    bool live;
    uint source;
    uint at;     // word address of the block's first sample
    uint stride; // words from row to row
};

ResidualTask residual_task() {
    uvec2 group = residual_load_pair(push.groups + gl_WorkGroupID.x * 2);
    uint lanes_log2 = group.y >> 8 & 0xffu;
    uint count = group.y >> 16;
    ResidualTask task;
    task.kind = group.y & 0xffu;
    task.block = gl_LocalInvocationID.x >> lanes_log2;
    task.lane = gl_LocalInvocationID.x - (task.block << lanes_log2);
    task.live = task.block < count;
    uvec2 record = residual_load_pair(group.x + min(task.block, count - 1) * 2);
    task.source = record.y;
    uint plane = record.x >> 28;
    uint offset = push.plane_offset_0;
    task.stride = push.plane_stride_0;
    if (plane != 0) {
        offset = plane == 1 ? push.plane_offset_1 : push.plane_offset_2;
        task.stride = push.plane_stride_1;
    }
    task.at = offset + (record.x >> 14 & 0x3fffu) * 4 * task.stride +
              (record.x & 0x3fffu) * RESIDUAL_WORDS_OF_FOUR;
    return task;
}

#endif
