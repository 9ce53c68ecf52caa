// SPDX-License-Identifier: BSD-2-Clause
#ifndef COMMON_RESIDUAL_IO_GLSL
#define COMMON_RESIDUAL_IO_GLSL

// Included by all residual shaders, after the records of their codec. RESIDUAL_DEPTH is the bit
// depth: 8, or more. A word of samples holds four of 8 bits or two of more.
#if RESIDUAL_DEPTH == 8
#define RESIDUAL_WORDS_OF_FOUR 1
#else
#define RESIDUAL_WORDS_OF_FOUR 2
#endif

layout(local_size_x = RESIDUAL_LANES) in;

layout(std430, set = 0, binding = 0) buffer Samples {
    uint samples[];
};
// The arena, in units of two and of four words. V3D's cost is that of each access, so four words at
// once cost little more than one.
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

// What a lane knows of its work: its block, and its number among the block's lanes. A lane without
// a block repeats the last one, and stores nothing.
struct ResidualTask {
    uint kind;
    uint block;
    uint lane;
    bool live;
    uint source;
    uint at;     // word address of the block's first sample
    uint stride; // words from row to row
#ifdef RESIDUAL_WORDS
    uint group;  // as records have it
    uint count, factors;
#endif
};

// Without the fields of the block's record. count: the number of blocks in the group.
ResidualTask residual_task_of(uvec2 group, uint count) {
    uint lanes_log2 = unpack(group.y, RESIDUAL_GROUP_LANES_LOG2);
    ResidualTask task;
    task.kind = unpack(group.y, RESIDUAL_GROUP_KIND);
    task.block = gl_LocalInvocationID.x >> lanes_log2;
    task.lane = gl_LocalInvocationID.x - (task.block << lanes_log2);
    task.live = task.block < count;
    return task;
}

// Word i of four rows of four samples, from word `at` on.
uint residual_square_word(uint at, uint stride, uint i) {
    return at + i / RESIDUAL_WORDS_OF_FOUR * stride + i % RESIDUAL_WORDS_OF_FOUR;
}

#endif
