// SPDX-License-Identifier: BSD-2-Clause
// H.264 boundary strengths (ITU-T H.264 8.7.2.1) and thresholds (8.7.2.2) of an MBAFF frame.
//
// Four invocations a macroblock: 0 and 1 have its vertical edges, 2 and 3 its horizontal ones, each
// two segments of all four. LISTS is the number of reference lists.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 256) in;

#include "records/h264_filter_mbaff.h"

#include "h264/filter_strength_motion.glsl"
#include "h264/filter_strength_mixed.glsl"

// What lies across an outer edge (6.4.12.2): the two macroblocks of a pair, or one of them.
struct Beside {
    uint mb, bits;     // the one that the edge has, where there is only one
    uint upper, lower; // bits of the pair
};

Beside find_beside(uint mb, uint bits, uint is_lower, bool horizontal) {
    Beside found;
    bool field = (bits & MB_FIELD) != 0u;
    uint own_pair = mb - is_lower * 4u;
    bool within = horizontal && is_lower != 0u && !field;
    bool filtered = (bits & (horizontal ? MB_FILTER_TOP : MB_FILTER_LEFT)) != 0u;
    // A pair that is not there, or not looked at, is replaced by this one.
    uint pair =
        within || !filtered ? own_pair : own_pair - (horizontal ? push.mb_width * 8u : 8u);
    found.upper = arena[pair];
    found.lower = arena[pair + 4u];
    bool other_field = (found.upper & MB_FIELD) != 0u;
    bool takes_lower = is_lower != 0u;
    if (horizontal) takes_lower = !within && (!(field && other_field) || takes_lower);
    found.mb = pair + (takes_lower ? 4u : 0u);
    found.bits = takes_lower ? found.lower : found.upper;
    return found;
}

// A field pair beside a frame pair.
bool is_mixed(uint bits, uint beside) {
    return ((bits ^ beside) & MB_FIELD) != 0u;
}

// The edge is to both macroblocks of the pair.
bool is_to_both(uint bits, uint beside, bool horizontal) {
    return is_mixed(bits, beside) && !(horizontal && (bits & MB_FIELD) != 0u);
}

// Of each plane one of the left edge's two and the upper edge's two, and one invocation has those of
// inner edges.
void store_thresholds(uint record, uint table, uint bits, uint beside, uint part) {
    uint averaged = table + SLICE_QPS;
    uint own = arena[averaged + unpack(bits, MB_QP)];
    uint other = arena[averaged + unpack(beside, MB_QP)];
    bool outer = (bits & (part >= 2u ? MB_FILTER_TOP : MB_FILTER_LEFT)) != 0u;
    // A second upper edge there is to fields only.
    if (part == 3u) outer = outer && is_to_both(bits, beside, true);
    uint to = record + 9u + part;
    [[unroll]] for (uint plane = 0; plane < 3; plane++, to += 5u) {
        uint qp = own >> plane * 8u & 255u;
        uint threshold = arena[table + (qp + (other >> plane * 8u & 255u) + 1u >> 1)];
        arena[to] = outer ? threshold : 0u;
        if (part == 0u)
            arena[to + 4u] = (bits & MB_FILTERED) != 0u ? arena[table + qp] : 0u;
    }
}

void store_flags(uint record, uint mb, uint bits, bool two_tops) {
    bool field = (bits & MB_FIELD) != 0u;
    uint left = (bits & MB_FILTER_LEFT) != 0u ? mb - 8u : mb;
    bool field_left = (arena[left] & MB_FIELD) != 0u;
    arena[record + 8u] = (field ? MBAFF_FIELD : 0u) |
                         (!field && field_left ? MBAFF_ALTERNATE : 0u) |
                         (two_tops ? MBAFF_TWO_TOPS : 0u);
}

// Segments 2 and 3 of an outer edge, for the invocation that has the others.
shared uint other_ends[256];

void main() {
    // All of them come to the barrier: those without a macroblock do the last one's work.
    uint asked = gl_WorkGroupID.x * STRENGTH_GROUP + (gl_LocalInvocationIndex >> 2);
    bool there = asked < push.count;
    uint number = there ? asked : push.count - 1u;
    uint part = gl_LocalInvocationIndex & 3u, pair = part & 1u;
    bool horizontal = part >= 2u;
    uint mb = push.macroblocks + number * 4u, is_lower = number & 1u;
    uint bits = arena[mb], record = push.records + number * 24u;
    Beside beside = find_beside(mb, bits, is_lower, horizontal);
    bool both = is_to_both(bits, beside.bits, horizontal);

    // What does not depend on motion goes first, while there are registers for it.
    uint table = push.tables + unpack(arena[mb + 1u], MB_TABLE) * SLICE_TABLE_WORDS;
    uint looked_at = !both ? beside.bits : pair == 0u ? beside.upper : beside.lower;
    if (there) store_thresholds(record, table, bits, looked_at, part);
    if (there && part == 2u) store_flags(record, mb, bits, both);
    uint outer = 0u;
    if (both)
        outer = horizontal ? two_upper_edges(bits, beside.upper, beside.lower)
                           : mixed_left_edge(bits, beside.upper, beside.lower, is_lower);

    uint field = (bits & MB_FIELD) != 0u ? 1u : 0u;
    uint strengths = strengths_of(arena_quads[mb >> 2], arena_quads[beside.mb >> 2], horizontal,
                                  pair, field, is_mixed(bits, beside.bits));
    uint inner = (bits & MB_FILTERED) != 0u ? strengths & ~(OUTER_EDGES * 15u) : 0u;
    uint ends = (strengths & 15u) | (strengths >> 12 & 0xf0u);
    other_ends[gl_LocalInvocationIndex] = ends;
    barrier();
    if (!there) return;
    uint luma_edges = (bits & MB_TRANSFORM_8X8) != 0u ? 15u * LUMA_8X8_EDGES : ~0u;
    arena[record + part] = inner & luma_edges;
    if (horizontal) arena[record + 2u + part] = inner;
    if (pair != 0u) return;
    ends |= other_ends[gl_LocalInvocationIndex + 1u] << 8;
    outer = both ? outer : horizontal ? ends : repeat_nibbles(ends);
    // Such an edge there is only where the macroblock is filtered.
    bool filtered = (bits & (horizontal ? MB_FILTER_TOP : MB_FILTER_LEFT)) != 0u;
    arena[record + (horizontal ? 7u : 6u)] = filtered ? outer : 0u;
}
