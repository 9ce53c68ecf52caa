// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_RESIDUAL_IO_GLSL
#define H264_RESIDUAL_IO_GLSL

#include "records/h264_residual.h"

// A word of samples holds four of 8 bits or two of more. With RESIDUAL_ALONE the transforms go to
// scratch memory, two values of 16 bits a word, for intra prediction to add: `samples` is that then.
#if RESIDUAL_DEPTH == 8
#define RESIDUAL_WORDS_OF_FOUR 1
#else
#define RESIDUAL_WORDS_OF_FOUR 2
#endif

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

uvec2 residual_load_pair(uint word) { return arena_pairs[word >> 1]; }

// Four words of coefficients.
uvec4 residual_load(uint word) { return arena_quads[word >> 2]; }

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
#ifdef RESIDUAL_ALONE
    task.at = record.x & (1u << RESIDUAL_SCRATCH_BITS) - 1;
    task.stride = record.x >> RESIDUAL_SCRATCH_BITS;
    return task;
}
#else
    uint plane = record.x >> 24 & 3u;
    uint offset = plane == 0   ? push.plane_offset_0
                  : plane == 1 ? push.plane_offset_1
                               : push.plane_offset_2;
    uint stride = plane == 0   ? push.plane_stride_0
                  : plane == 1 ? push.plane_stride_1
                               : push.plane_stride_2;
    uint row = (record.x >> 12 & 0xfffu) * 4 + (record.x >> 27 & 1u);
    task.at = offset + row * stride + (record.x & 0xfffu) * RESIDUAL_WORDS_OF_FOUR;
    task.stride = stride << (record.x >> 26 & 1u);
    return task;
}
#endif

#endif
