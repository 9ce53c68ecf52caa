// SPDX-License-Identifier: BSD-2-Clause
// Included by all motion compensation shaders: buffers, and what an invocation knows of its work.
// INTER_DEPTH is 8 if a word has four samples; otherwise it has two.

#include "records/vp9_inter.h"

layout(local_size_x = INTER_LANES) in;

layout(std430, set = 0, binding = 0) buffer Samples { uint samples[]; };
// V3D counts accesses, not words: two words of a row are written at once where that is possible.
layout(std430, set = 0, binding = 0) buffer SamplePairs { uvec2 sample_pairs[]; };
layout(std430, set = 0, binding = 1) readonly buffer ArenaPairs { uvec2 arena_pairs[]; };
layout(std430, set = 0, binding = 1) readonly buffer ArenaQuads { uvec4 arena_quads[]; };
layout(std430, set = 0, binding = 3) readonly buffer Reference { uint reference[]; };
layout(std430, set = 0, binding = 3) readonly buffer ReferencePairs { uvec2 reference_pairs[]; };
layout(std430, set = 0, binding = 3) readonly buffer ReferenceQuads { uvec4 reference_quads[]; };
layout(push_constant) uniform Push { InterPush push; };

#if INTER_DEPTH == 8
const int INTER_SAMPLES = 4; // in a word
const int INTER_SAMPLE_BITS = 8;
#else
const int INTER_SAMPLES = 2;
const int INTER_SAMPLE_BITS = 16;
#endif

struct InterTask {
    uint kind;
    bool live;
    uint at, stride;         // the first word to write, and words from row to row
    uint from, from_stride;  // the reference plane's first word
    int last_x, last_y;      // that plane's last sample
    int x, y;                // where in it this invocation's first sample lies
    uint rows;               // to be made by this invocation
    uint taps;               // where the filter's begin, in pairs of words
    uint fraction_x, fraction_y, step_x, step_y;
    uvec2 across, down;      // taps, packed
    uint column, first_row;  // where it begins in the block: word, row
};

InterTask inter_task() {
    uvec2 group = arena_pairs[(push.groups >> 1) + gl_WorkGroupID.x];
    uint side_log2 = unpack(group.y, INTER_GROUP_SIDE_LOG2);
    uint lanes_log2 = unpack(group.y, INTER_GROUP_LANES_LOG2);
    uint count = unpack(group.y, INTER_GROUP_COUNT);
    InterTask task;
    task.kind = unpack(group.y, INTER_GROUP_KIND);
    uint block = gl_LocalInvocationID.x >> lanes_log2;
    uint lane = gl_LocalInvocationID.x & ((1u << lanes_log2) - 1u);
    task.live = block < count;
    uvec4 head = arena_quads[(group.x >> 2) + min(block, count - 1)];
    uint plane = unpack(group.y, INTER_GROUP_PLANE), rows, height, filter_number;
    uvec2 place; // in units of 4 samples
    ivec2 start; // in 1/16 sample
    bool words = (group.y & INTER_GROUP_WORDS) != 0;
    if (words) {
        rows = unpack(group.y, INTER_GROUP_ROWS_8) * 8u;
        height = 1u << unpack(group.y, INTER_GROUP_HEIGHT_LOG2);
        filter_number = unpack(head.z, BLOCK_FILTER);
        uint shifts = plane == 0 ? 0u : push.chroma_shifts;
        uvec2 shift = uvec2(shifts & 1u, shifts >> 1);
        uvec2 at = uvec2(unpack(head.x, BLOCK_COL), unpack(head.x, BLOCK_ROW));
        ivec2 vector = ivec2(unpack_signed(head.y, LOWER_HALF), unpack_signed(head.y, UPPER_HALF));
        place = at * 2u >> shift;
        start = ivec2(at) * 128 + vector * 2 >> ivec2(shift);
    } else {
        plane += unpack(head.x, PLACE_PLANE);
        rows = unpack(head.z, INTER_ROWS);
        height = unpack(head.z, INTER_HEIGHT);
        filter_number = unpack(head.z, INTER_FILTER);
        place = uvec2(unpack(head.x, PLACE_X), unpack(head.x, PLACE_Y));
        ivec2 source = ivec2(unpack(head.y, INTER_SOURCE_X), unpack(head.y, INTER_SOURCE_Y));
        start = (source - int(INTER_BIAS)) * 16 +
                ivec2(unpack(head.z, INTER_FRACTION_X), unpack(head.z, INTER_FRACTION_Y));
    }
    task.fraction_x = uint(start.x) & 15u;
    task.fraction_y = uint(start.y) & 15u;
    task.step_x = unpack(head.w, INTER_STEP_X);
    task.step_y = unpack(head.w, INTER_STEP_Y);
    task.taps = (push.taps >> 1) + filter_number * 16u;
    task.across = arena_pairs[task.taps + task.fraction_x];
    task.down = arena_pairs[task.taps + task.fraction_y];

    uint lane_words = task.kind < INTER_COPY_1 ? 2u : 1u;
    task.column = (lane & ((1u << side_log2) - 1u)) * lane_words;
    task.first_row = (lane >> side_log2) * rows;
    task.live = task.live && task.first_row < height;
    task.rows = min(rows, height - task.first_row);

    bool luma = plane == 0, second = plane == 2;
    task.stride = luma ? push.plane_stride_0 : second ? push.plane_stride_2 : push.plane_stride_1;
    task.from = luma ? push.reference_offset_0
                     : second ? push.reference_offset_2 : push.reference_offset_1;
    task.from_stride = luma ? push.reference_stride_0
                            : second ? push.reference_stride_2 : push.reference_stride_1;
    task.last_x = int(luma ? push.last_x_0 : push.last_x_1);
    task.last_y = int(luma ? push.last_y_0 : push.last_y_1);
    uint offset = luma ? push.plane_offset_0 : second ? push.plane_offset_2 : push.plane_offset_1;
    task.at = offset + (place.y * 4u + task.first_row) * task.stride +
              place.x * (4u / uint(INTER_SAMPLES)) + task.column;
    task.x = (start.x >> 4) + int(task.column) * INTER_SAMPLES;
    task.y = (start.y >> 4) + int(task.first_row);
    return task;
}

// Packed.
uvec2 inter_taps_at(InterTask task, uint fraction) {
    return arena_pairs[task.taps + fraction];
}

int inter_tap(uint packed, int number) {
    return int(packed >> (8 * number) & 0xffu) - int(INTER_TAP_BIAS);
}

// A word of the reference plane, by number in its row; outside the plane the nearest sample stands
// for all others (8.5.2.3).
uint inter_load_clamped(InterTask task, int word, int y) {
    int last_word = task.last_x / INTER_SAMPLES;
    uint row = task.from + uint(clamp(y, 0, task.last_y)) * task.from_stride;
    uint value = reference[row + uint(clamp(word, 0, last_word))];
    // Where the plane begins or ends inside the word or beside it.
    uint shift = uint(task.last_x & (INTER_SAMPLES - 1)) * uint(INTER_SAMPLE_BITS);
    uint edge = value >> (word < 0 ? 0u : shift);
    uint inside = word == last_word ? 0xffffffffu >> (uint(32 - INTER_SAMPLE_BITS) - shift) : 0xffffffffu;
    inside = word < 0 || word > last_word ? 0u : inside;
#if INTER_DEPTH == 8
    edge = (edge & 0xffu) * 0x01010101u;
#else
    edge = (edge & 0xffffu) * 0x00010001u;
#endif
    return (value & inside) | (edge & ~inside);
}

// The upper of two words moved down by 0 to 31 bits, filled from the next one.
uint inter_funnel(uint low, uint high, uint shift) {
    return (low >> shift) | ((high << 1) << (31u - shift));
}

// Samples of words a and b averaged, with halves rounded up.
uint inter_average(uint a, uint b) {
#if INTER_DEPTH == 8
    return (a | b) - ((a ^ b) >> 1 & 0x7f7f7f7fu);
#else
    return (a | b) - ((a ^ b) >> 1 & 0x7fff7fffu);
#endif
}
