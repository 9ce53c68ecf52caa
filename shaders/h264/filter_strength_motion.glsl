// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_STRENGTH_MOTION_GLSL
#define H264_FILTER_STRENGTH_MOTION_GLSL

// ITU-T H.264 8.7.2.1, from MacroblockRecord and motion vectors in the arena to the strengths of two
// segments of four edges.

#include "records/h264_filter_strength.h"

#include "h264/filter_strength_core.glsl"

// Not readonly here: behind what the CPU wrote, this pass writes what the next ones read.
layout(std430, set = 0, binding = 1) buffer Arena {
    uint arena[];
};
layout(std430, set = 0, binding = 1) buffer ArenaQuads {
    uvec4 arena_quads[];
};
layout(push_constant) uniform Push {
    StrengthPush push;
};

// The motion of the blocks in two lines of a macroblock, which cross an invocation's edges.
struct Motion {
    uint at;                   // the first vector: line 0, block 0
    uint line, block, blocks;  // to line 1, to block 1, to block 2
    uint second_list;          // to the same of list 1
    uint picture[LISTS];       // of blocks 0 and 1
    uint far_picture[LISTS];   // of blocks 2 and 3
};

// mb: a MacroblockRecord.
Motion load_motion(uvec4 mb, bool horizontal, uint pair, bool one_list) {
    Motion motion;
    uint bits = mb.x;
    // Vectors are in raster order, 16, 4 or 1.
    bool in_4x4 = (bits & MB_MOTION_4X4) != 0u;
    uint unit = (bits & (MB_MOTION_4X4 | MB_MOTION_8X8)) != 0u ? 1u : 0u;
    uint across = horizontal ? 1u : 2u, along = 3u - across;
    uint fine = in_4x4 ? 2u : 1u;
    motion.line = in_4x4 ? across * across : 0u;
    motion.block = in_4x4 ? along * along : 0u;
    motion.blocks = unit * (in_4x4 ? 2u * along * along : along);
    uint pairs = unit * (in_4x4 ? 2u * across * across : across);
    motion.at = push.motion + unpack(mb.y, MB_VECTOR) + pair * pairs;
    uint pictures[2] = {mb.z, mb.w | (one_list ? 0xffffffffu : 0u)};
    motion.second_list = pictures[0] == 0xffffffffu ? 0u : in_4x4 ? 16u : 1u + 3u * unit;
    [[unroll]] for (uint list = 0; list < LISTS; list++) {
        uint near = pictures[list] >> pair * across * 8u;
        motion.picture[list] = near & 255u;
        motion.far_picture[list] = near >> along * 8u & 255u;
    }
    return motion;
}

ivec2 load_vector(uint at, uint picture, uint field) {
    uint word = arena[at]; // what lies there without motion is somebody else's
    word = picture == 255u ? 0u : word;
    // A quarter sample of a field is two of a frame.
    return ivec2(unpack_signed(word, LOWER_HALF), unpack_signed(word, UPPER_HALF) << field);
}

Prediction load_prediction(Motion motion, uint at, uint field, bool is_far) {
    Prediction prediction;
    [[unroll]] for (uint list = 0; list < LISTS; list++) {
        prediction.picture[list] = is_far ? motion.far_picture[list] : motion.picture[list];
        prediction.vector[list] =
            load_vector(at + list * motion.second_list, prediction.picture[list], field);
    }
    return prediction;
}

// 1 for edges whose sides are predicted differently; no coefficients, no intra. field: 1 where both
// macroblocks are of a field, else 0.
uint edges_with_motion(Motion p, Motion q, uint field, bool partitioned) {
    uint edges = 0u;
    // Where neither side has vectors of 4x4 blocks, the second line is as the first.
    bool alike = (p.line | q.line) == 0u;
    [[dont_unroll]] for (uint line = 0; line < (alike ? 1u : 2u); line++) {
        Prediction first = load_prediction(q, q.at, field, false);
        uint found =
            differ(load_prediction(p, p.at + p.block + p.blocks, field, true), first);
        if (partitioned) {
            Prediction second = load_prediction(q, q.at + q.block, field, false);
            found |= differ(first, second) << 4;
            first = load_prediction(q, q.at + q.blocks, field, true);
            found |= differ(second, first) << 8;
            second = load_prediction(q, q.at + q.block + q.blocks, field, true);
            found |= differ(first, second) << 12;
        }
        edges |= alike ? found * 0x10001u : found << line * 16u;
        p.at += p.line;
        q.at += q.line;
    }
    return edges;
}

// Strengths of a macroblock's edges, the outer ones to `beside`. field: 1 where the macroblock is of
// a field; mixed: only one of both is (mixedModeEdgeFlag), so that their motion is never alike.
uint strengths_of(uvec4 mb, uvec4 beside, bool horizontal, uint pair, uint field, bool mixed) {
    uint bits = mb.x, strengths = 3u * EDGES;
    if ((bits & MB_INTRA) == 0u) {
        bool one_list = (bits & MB_LIST_0_ONLY) != 0u;
        uint motion = edges_with_motion(load_motion(beside, horizontal, pair, one_list),
                                        load_motion(mb, horizontal, pair, one_list), field,
                                        (bits & (MB_MOTION_8X8 | MB_MOTION_4X4)) != 0u);
        motion |= mixed ? OUTER_EDGES : 0u;
        uint coefficients = edges_with_coefficients(bits, beside.x, horizontal, pair);
        strengths = coefficients * 2u | (motion & ~coefficients);
    }
    // Horizontal edges in a field have no strength 4.
    uint intra_outer = OUTER_EDGES * (horizontal ? 4u - (field | uint(mixed)) : 4u);
    bool intra = ((bits | beside.x) & MB_INTRA) != 0u;
    uint inner = strengths & ~(OUTER_EDGES * 15u);
    return inner | (intra ? intra_outer : strengths & OUTER_EDGES * 15u);
}

#endif
