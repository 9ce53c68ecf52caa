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

#include "h264/filter_strength_motion.glsl"

// Thresholds of the left, the upper and the inner edges of a plane.
uvec3 load_thresholds(uint table, uint plane, uvec3 bits) {
    uvec3 qp = uvec3(unpack(bits.x, MB_QP_8), unpack(bits.y, MB_QP_8), unpack(bits.z, MB_QP_8));
    uint averaged = table + SLICE_QPS;
    qp = uvec3(arena[averaged + qp.x], arena[averaged + qp.y], arena[averaged + qp.z]);
    qp = qp >> plane * 8u & 255u;
    return uvec3(arena[table + (qp.x + qp.z + 1u >> 1)], arena[table + (qp.y + qp.z + 1u >> 1)],
                 arena[table + qp.z]);
}

// A record is written by its four invocations: a word of strengths each, and the thresholds of a
// plane by all but the first; the last two have what chroma needs of horizontal edges, too.
void store(uint number, uint part, uint strengths, uint chroma_strengths, uvec3 thresholds) {
    arena[push.records + number * 4u + part] = strengths;
    if (part == 0u) return;
    arena_quads[(push.records >> 2) + part * push.count + number] =
        uvec4(thresholds, chroma_strengths);
}

void main() {
    uint number = gl_WorkGroupID.x * STRENGTH_GROUP + (gl_LocalInvocationIndex >> 2);
    uint part = gl_LocalInvocationIndex & 3u, pair = part & 1u;
    bool horizontal = part >= 2u;
    if (number >= push.count) return;

    // A macroblock that is not there, or not looked at, is replaced by this one.
    uint at = (push.macroblocks >> 2) + number;
    uvec4 mb = arena_quads[at];
    uint bits = mb.x;
    bool filters_left = (bits & MB_FILTER_LEFT) != 0u;
    bool filters_top = (bits & MB_FILTER_TOP) != 0u;
    uvec4 left = arena_quads[filters_left ? at - 1u : at];
    uvec4 above = arena_quads[filters_top ? at - push.mb_width : at];
    uvec4 beside = horizontal ? above : left;

    uint strengths = strengths_of(mb, beside, horizontal, pair, push.field, false);
    strengths &= (horizontal ? filters_top : filters_left) ? ~0u : ~(OUTER_EDGES * 15u);

    uint table = push.tables + unpack(mb.y, MB_TABLE) * SLICE_TABLE_WORDS;
    uvec3 thresholds =
        load_thresholds(table, max(part, 1u) - 1u, uvec3(left.x, above.x, bits));
    thresholds.x = filters_left ? thresholds.x : 0u;
    thresholds.y = filters_top ? thresholds.y : 0u;
    if ((bits & MB_FILTERED) == 0u) {
        strengths = 0u;
        thresholds = uvec3(0);
    }
    uint luma_edges = (bits & MB_TRANSFORM_8X8) != 0u ? 15u * LUMA_8X8_EDGES : ~0u;
    store(number, part, strengths & luma_edges, horizontal ? strengths : 0u, thresholds);
}
