// SPDX-License-Identifier: BSD-2-Clause
// Included by all inter prediction shaders: buffers, and what an invocation knows of its work.
// INTER_DEPTH is 8 if a word has four samples; otherwise it has two. INTER_MODE: what is done with
// a prediction.

#include "records/h264_inter.h"

#define INTER_PUT 0
#define INTER_AVERAGE 1
#define INTER_WEIGHTED 2

layout(local_size_x = INTER_LANES) in;

layout(std430, set = 0, binding = 0) buffer Samples { uint samples[]; };
// V3D counts accesses, not words: two words of a row are written at once where that is possible.
layout(std430, set = 0, binding = 0) buffer SamplePairs { uvec2 sample_pairs[]; };
layout(std430, set = 0, binding = 1) readonly buffer ArenaPairs { uvec2 arena_pairs[]; };
layout(std430, set = 0, binding = 1) readonly buffer ArenaQuads { uvec4 arena_quads[]; };
layout(std430, set = 0, binding = 3) readonly buffer Reference { uint reference[]; };
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
    uint at, stride;        // the first word to write, and words from row to row
    uint part;              // where in that word the first sample lies, in bits
    uint from, from_stride; // the reference plane's first word
    int last_x, last_y;     // that plane's last sample
    int x, y;               // where in it this invocation's first sample lies
    uint rows;
    int fraction_x, fraction_y; // of luma in quarters, of chroma in eighths
    uvec2 weights; // of its plane, as InterWeightRecord has them
};

// Where the chroma format does not halve chroma, it is predicted as luma or with luma's whole
// samples down; the vector then has units of its own.
// down: what chroma's vector has added to it.
void inter_move(inout InterTask task, uint vector, int down, uint shift_x, uint shift_y,
                bool luma) {
    int across = unpack_signed(vector, LOWER_HALF);
    down += unpack_signed(vector, UPPER_HALF);
    task.x += across >> (2u + shift_x);
    task.y += down >> (2u + shift_y);
    task.fraction_x = luma ? across & 3 : (across << (1u - shift_x)) & 7;
    task.fraction_y = luma ? down & 3 : (down << (1u - shift_y)) & 7;
}

// number: of a record in its group.
InterTask inter_task(uvec2 group, uint number) {
    uint lanes_log2 = unpack(group.y, INTER_GROUP_LANES_LOG2);
    uint samples_log2 = unpack(group.y, INTER_GROUP_SAMPLES_LOG2);
    uint plane = unpack(group.y, INTER_GROUP_PLANE);
    InterTask task;
    task.kind = unpack(group.y, INTER_GROUP_KIND);
    uint column = (gl_LocalInvocationID.x & ((1u << lanes_log2) - 1u)) << samples_log2;
    uvec4 record = arena_quads[(group.x >> 2) + number];

    bool luma = plane == 0, second = plane == 2;
    uint shift_x = luma ? 0 : push.shift_x, shift_y = luma ? 0 : push.shift_y;
    uint x = (unpack(record.x, INTER_X) * 4 >> shift_x) + column;
    uint y = unpack(record.x, INTER_Y) * 4 >> shift_y;
    task.rows = unpack(record.x, INTER_HEIGHT) >> shift_y;
    uint field = unpack(record.x, INTER_FIELD), lower = unpack(record.x, INTER_LOWER),
         from_lower = unpack(record.x, INTER_FROM_LOWER);
    task.stride = luma ? push.plane_stride_0 : second ? push.plane_stride_2 : push.plane_stride_1;
    uint offset = luma ? push.plane_offset_0 : second ? push.plane_offset_2 : push.plane_offset_1;
    task.at = offset + (y << field | lower) * task.stride + x / uint(INTER_SAMPLES);
    task.stride <<= field;
    task.part = (x & uint(INTER_SAMPLES - 1)) * uint(INTER_SAMPLE_BITS);
    task.from = luma ? push.reference_offset_0
                     : second ? push.reference_offset_2 : push.reference_offset_1;
    task.from_stride = luma ? push.reference_stride_0
                            : second ? push.reference_stride_2 : push.reference_stride_1;
    task.last_x = int(luma ? push.last_x_0 : push.last_x_1);
    task.from += from_lower * task.from_stride;
    task.from_stride <<= field;
    task.last_y = int((luma ? push.last_y_0 : push.last_y_1) >> field);
    task.x = int(x);
    task.y = int(y);
    // 8.4.1.4; only chroma of 4:2:0 has a shift_y.
    int down = luma ? 0 : push.chroma_down + 2 * (int(lower) - int(from_lower)) * int(shift_y);
    inter_move(task, record.y, down, shift_x, shift_y, task.kind <= INTER_ANY);
#if INTER_MODE == INTER_WEIGHTED
    task.weights = arena_pairs[(record.z >> 1) + plane];
#endif
    return task;
}

// The upper of two words moved down by 0 to 31 bits, filled from the next one.
uint inter_funnel(uint low, uint high, uint shift) {
    return (low >> shift) | ((high << 1) << (31u - shift));
}

// `count` words from word `from` on, of which the last ones need not be there: `last` is the number of
// the last that has to. Two accesses of four words at multiples of four, then those words are taken out:
// accesses cost more than that. What needs no second one reads where all others of this plane do.
void inter_load(InterTask task, uint from, uint last, int count, out uint words[6]) {
    uint first = from >> 2, second = from + last >> 2;
    uvec4 a = reference_quads[first];
    uvec4 b = reference_quads[second == first ? task.from >> 2 : second];
    uint all[8] = uint[8](a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w);
    bool by_two = (from & 2u) != 0u, by_one = (from & 1u) != 0u;
    [[unroll]] for (int i = 0; i <= count; i++) all[i] = by_two ? all[i + 2] : all[i];
    [[unroll]] for (int i = 0; i < 6; i++)
        words[i] = i < count ? by_one ? all[i + 1] : all[i] : 0u;
}

// Samples of words a and b averaged, with halves rounded up.
uint inter_mean(uint a, uint b) {
#if INTER_DEPTH == 8
    return (a | b) - ((a ^ b) >> 1 & 0x7f7f7f7fu);
#else
    return (a | b) - ((a ^ b) >> 1 & 0x7fff7fffu);
#endif
}
uvec2 inter_mean(uvec2 a, uvec2 b) { return uvec2(inter_mean(a.x, b.x), inter_mean(a.y, b.y)); }

// A word of the reference plane, by number in its row; outside of whole macroblocks, which are whole
// words, the nearest sample stands for all others.
uint inter_load_clamped(InterTask task, int word, int y) {
    int last = task.last_x / INTER_SAMPLES;
    uint row = task.from + uint(clamp(y, 0, task.last_y)) * task.from_stride;
    uint value = reference[row + uint(clamp(word, 0, last))];
#if INTER_DEPTH == 8
    uint edge = (word < 0 ? value & 0xffu : value >> 24) * 0x01010101u;
#else
    uint edge = (word < 0 ? value & 0xffffu : value >> 16) * 0x00010001u;
#endif
    return word < 0 || word > last ? edge : value;
}
