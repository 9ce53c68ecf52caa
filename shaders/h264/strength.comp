// SPDX-License-Identifier: BSD-2-Clause
// H.264 boundary strengths (ITU-T H.264 8.7.2.1) and thresholds (8.7.2.2): the records that the
// deblocking passes read, out of motion, coefficients and QP.
//
// Four invocations a macroblock: 0 and 1 have its vertical edges, 2 and 3 its horizontal ones, each
// two segments of all four. LISTS is the number of reference lists.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#include "records/h264_deblock.h"
#include "records/h264_strength.h"

#include "h264/strength_core.glsl"

// Not readonly here: behind what the CPU wrote, this pass writes what the next ones read.
layout(std430, set = 0, binding = 1) buffer Arena {
    uint arena[];
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

Motion load_motion(uint mb, uint bits, bool horizontal, uint pair, bool one_list) {
    Motion motion;
    // Vectors are in raster order, 16, 4 or 1.
    bool in_4x4 = (bits & STRENGTH_MOTION_4X4) != 0u;
    uint unit = (bits & (STRENGTH_MOTION_4X4 | STRENGTH_MOTION_8X8)) != 0u ? 1u : 0u;
    uint across = horizontal ? 1u : 2u, along = 3u - across;
    uint fine = in_4x4 ? 2u : 1u;
    motion.line = in_4x4 ? across * across : 0u;
    motion.block = in_4x4 ? along * along : 0u;
    motion.blocks = unit * (in_4x4 ? 2u * along * along : along);
    uint pairs = unit * (in_4x4 ? 2u * across * across : across);
    motion.at = push.motion + (arena[mb + 1u] & (1u << STRENGTH_TABLE_AT) - 1u) + pair * pairs;
    uint pictures[2] = {arena[mb + 2u], arena[mb + 3u] | (one_list ? 0xffffffffu : 0u)};
    motion.second_list = pictures[0] == 0xffffffffu ? 0u : in_4x4 ? 16u : 1u + 3u * unit;
    [[unroll]] for (uint list = 0; list < LISTS; list++) {
        uint near = pictures[list] >> pair * across * 8u;
        motion.picture[list] = near & 255u;
        motion.far_picture[list] = near >> along * 8u & 255u;
    }
    return motion;
}

ivec2 load_vector(uint at, uint picture) {
    int word = int(arena[at]); // what lies there without motion is somebody else's
    word = picture == 255u ? 0 : word;
    // A quarter sample of a field is two of a frame.
    return ivec2(word << 16 >> 16, word >> 16 << push.field);
}

Prediction load_prediction(Motion motion, uint at, bool is_far) {
    Prediction prediction;
    [[unroll]] for (uint list = 0; list < LISTS; list++) {
        prediction.picture[list] = is_far ? motion.far_picture[list] : motion.picture[list];
        prediction.vector[list] =
            load_vector(at + list * motion.second_list, prediction.picture[list]);
    }
    return prediction;
}

// 1 for edges whose sides are predicted differently; no coefficients, no intra.
uint edges_with_motion(Motion p, Motion q, bool partitioned) {
    uint edges = 0u;
    // Where neither side has vectors of 4x4 blocks, the second line is as the first.
    bool alike = (p.line | q.line) == 0u;
    [[dont_unroll]] for (uint line = 0; line < (alike ? 1u : 2u); line++) {
        Prediction first = load_prediction(q, q.at, false);
        uint found =
            differ(load_prediction(p, p.at + p.block + p.blocks, true), first);
        if (partitioned) {
            Prediction second = load_prediction(q, q.at + q.block, false);
            found |= differ(first, second) << 4;
            first = load_prediction(q, q.at + q.blocks, true);
            found |= differ(second, first) << 8;
            second = load_prediction(q, q.at + q.block + q.blocks, true);
            found |= differ(first, second) << 12;
        }
        edges |= alike ? found * 0x10001u : found << line * 16u;
        p.at += p.line;
        q.at += q.line;
    }
    return edges;
}

// Thresholds of the left, the upper and the inner edges of a plane.
uvec3 load_thresholds(uint table, uint plane, uvec3 bits) {
    uvec3 qp = bits >> STRENGTH_QP_AT & 255u;
    uint averaged = table + STRENGTH_QPS;
    qp = uvec3(arena[averaged + qp.x], arena[averaged + qp.y], arena[averaged + qp.z]);
    qp = qp >> plane * 8u & 255u;
    return uvec3(arena[table + (qp.x + qp.z + 1u >> 1)], arena[table + (qp.y + qp.z + 1u >> 1)],
                 arena[table + qp.z]);
}

// A record is written by its four invocations: a word of strengths each, and the thresholds of a
// plane by all but the first; the last two have what chroma needs of horizontal edges, too.
void store(uint record, uint part, uint strengths, uint chroma_strengths, uvec3 thresholds) {
    arena[record + part] = strengths;
    if (part == 0u) return;
    record += part * 4u;
    arena[record] = thresholds.x;
    arena[record + 1u] = thresholds.y;
    arena[record + 2u] = thresholds.z;
    arena[record + 3u] = chroma_strengths;
}

void main() {
    uint number = gl_WorkGroupID.x * STRENGTH_GROUP + (gl_LocalInvocationIndex >> 2);
    uint part = gl_LocalInvocationIndex & 3u, pair = part & 1u;
    bool horizontal = part >= 2u;
    if (number >= push.count) return;

    // A macroblock that is not there, or not looked at, is replaced by this one.
    uint mb = push.macroblocks + number * 4u;
    uint bits = arena[mb];
    bool filters_left = (bits & STRENGTH_FILTER_LEFT) != 0u;
    bool filters_top = (bits & STRENGTH_FILTER_TOP) != 0u;
    uint left = filters_left ? mb - 4u : mb;
    uint above = filters_top ? mb - push.mb_width * 4u : mb;
    uint left_bits = arena[left], above_bits = arena[above];
    uint beside = horizontal ? above : left;
    uint beside_bits = horizontal ? above_bits : left_bits;

    uint strengths = 3u * EDGES;
    if ((bits & STRENGTH_INTRA) == 0u) {
        bool one_list = (bits & STRENGTH_LIST_0_ONLY) != 0u;
        uint motion = edges_with_motion(load_motion(beside, beside_bits, horizontal, pair, one_list),
                                        load_motion(mb, bits, horizontal, pair, one_list),
                                        (bits & (STRENGTH_MOTION_8X8 | STRENGTH_MOTION_4X4)) != 0u);
        uint coefficients = edges_with_coefficients(bits, beside_bits, horizontal, pair);
        strengths = coefficients * 2u | (motion & ~coefficients);
    }
    // In a field, horizontal edges have no strength 4.
    uint intra_outer = OUTER_EDGES * (horizontal ? 4u - push.field : 4u);
    bool intra = ((bits | beside_bits) & STRENGTH_INTRA) != 0u;
    uint inner = strengths & ~(OUTER_EDGES * 15u);
    uint outer = intra ? intra_outer : strengths & OUTER_EDGES * 15u;
    strengths = inner | ((horizontal ? filters_top : filters_left) ? outer : 0u);

    uint table = push.tables + (arena[mb + 1u] >> STRENGTH_TABLE_AT) * STRENGTH_TABLE_WORDS;
    uvec3 thresholds =
        load_thresholds(table, max(part, 1u) - 1u, uvec3(left_bits, above_bits, bits));
    thresholds.x = filters_left ? thresholds.x : 0u;
    thresholds.y = filters_top ? thresholds.y : 0u;
    if ((bits & STRENGTH_FILTERED) == 0u) {
        strengths = 0u;
        thresholds = uvec3(0);
    }
    uint luma_edges = (bits & STRENGTH_TRANSFORM_8X8) != 0u ? 15u * LUMA_8X8_EDGES : ~0u;
    store(push.records + number * 16u, part, strengths & luma_edges, horizontal ? strengths : 0u,
          thresholds);
}
