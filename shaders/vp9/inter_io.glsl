// SPDX-License-Identifier: BSD-2-Clause
// What every motion compensation shader sees, and what an invocation knows of its work. INTER_DEPTH is
// 8 for words of four samples, else they hold two.

#include "records/vp9_inter.h"

layout(local_size_x = INTER_LANES) in;

layout(std430, set = 0, binding = 0) buffer Samples { uint samples[]; };
// V3D counts accesses, not words: two words of a row are written at once where that is possible.
layout(std430, set = 0, binding = 0) buffer SamplePairs { uvec2 sample_pairs[]; };
layout(std430, set = 0, binding = 1) readonly buffer ArenaPairs { uvec2 arena_pairs[]; };
layout(std430, set = 0, binding = 1) readonly buffer ArenaQuads { uvec4 arena_quads[]; };
layout(std430, set = 0, binding = 3) readonly buffer Reference { uint reference[]; };
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
    uvec2 across, down;      // taps
    uint column, first_row;  // where it begins in the block: word, row
};

InterTask inter_task() {
    uvec2 group = arena_pairs[(push.groups >> 1) + gl_WorkGroupID.x];
    uint side_log2 = group.y >> 4 & 15u, lanes_log2 = group.y >> 8 & 15u;
    uint count = group.y >> 16 & 0xffu;
    InterTask task;
    task.kind = group.y & 15u;
    uint block = gl_LocalInvocationID.x >> lanes_log2;
    uint lane = gl_LocalInvocationID.x & ((1u << lanes_log2) - 1u);
    task.live = block < count;
    uint record_at = (group.x >> 2) + min(block, count - 1) * 2;
    uvec4 head = arena_quads[record_at], taps = arena_quads[record_at + 1];
    task.across = taps.xy;
    task.down = taps.zw;

    uint words = task.kind < INTER_COPY_1 ? 2u : 1u;
    task.column = (lane & ((1u << side_log2) - 1u)) * words;
    uint rows = head.z >> 8;
    task.first_row = (lane >> side_log2) * rows;
    uint height = head.z & 0xffu;
    task.live = task.live && task.first_row < height;
    task.rows = min(rows, height - task.first_row);

    uint plane = (head.x >> 28) + (group.y >> 24);
    bool luma = plane == 0, second = plane == 2;
    task.stride = luma ? push.plane_stride_0 : second ? push.plane_stride_2 : push.plane_stride_1;
    task.from = luma ? push.reference_offset_0
                     : second ? push.reference_offset_2 : push.reference_offset_1;
    task.from_stride = luma ? push.reference_stride_0
                            : second ? push.reference_stride_2 : push.reference_stride_1;
    task.last_x = int(luma ? push.last_x_0 : push.last_x_1);
    task.last_y = int(luma ? push.last_y_0 : push.last_y_1);
    uint offset = luma ? push.plane_offset_0 : second ? push.plane_offset_2 : push.plane_offset_1;
    task.at = offset + ((head.x >> 14 & 0x3fffu) * 4u + task.first_row) * task.stride +
              (head.x & 0x3fffu) * (4u / uint(INTER_SAMPLES)) + task.column;
    task.x = int(head.y & 0xffffu) - int(INTER_BIAS) + int(task.column) * INTER_SAMPLES;
    task.y = int(head.y >> 16) - int(INTER_BIAS) + int(task.first_row);
    return task;
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
