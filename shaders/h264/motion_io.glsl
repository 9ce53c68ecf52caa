// SPDX-License-Identifier: BSD-2-Clause
// Included by the two passes over motion: an invocation has one list of one macroblock.

#include "records/h264_macroblocks.h"
#include "records/h264_motion.h"

layout(local_size_x = MOTION_LANES) in;
layout(std430, set = 0, binding = 1) buffer Arena { uint arena[]; };
layout(std430, set = 0, binding = 1) buffer ArenaQuads { uvec4 arena_quads[]; };
layout(push_constant) uniform Push { MotionPush push; };

const uint MOTION_NOTHING = 0xffffffffu; // the pictures of a list that is not used

struct MotionList {
    uint mb, second; // macroblock; 1: list 1
    uvec4 record;    // MacroblockRecord
    uint own, other; // the pictures of this list and of the other one
    uint vectors;    // the first of this list, counted from MotionPush::vectors
};

uint motion_vectors_of_list(uvec4 record) {
    if ((record.x & MB_MOTION_4X4) != 0u) return 16u;
    return (record.x & MB_MOTION_8X8) != 0u ? 4u : 1u;
}

// Without motion, `own` is MOTION_NOTHING.
MotionList motion_list() {
    MotionList list;
    uint number = gl_GlobalInvocationID.x;
    list.second = number >= push.count ? 1u : 0u;
    list.mb = number - list.second * push.count;
    list.own = MOTION_NOTHING;
    if (number >= push.count * push.lists) return list;
    list.record = arena_quads[(push.macroblocks >> 2) + list.mb];
    bool second = list.second != 0u;
    list.own = second ? list.record.w : list.record.z;
    list.other = second ? list.record.z : list.record.w;
    list.vectors = unpack(list.record.y, MB_VECTOR);
    if (second && list.other != MOTION_NOTHING) list.vectors += motion_vectors_of_list(list.record);
    return list;
}
