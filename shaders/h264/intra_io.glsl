// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_INTRA_IO_GLSL
#define H264_INTRA_IO_GLSL

#include "records/h264_intra.h"

// A word of samples holds four of 8 bits or two of more.
#if INTRA_DEPTH == 8
const uint INTRA_WORD_LOG2 = 2;
#else
const uint INTRA_WORD_LOG2 = 1;
#endif
const uint INTRA_IN_WORD = 1u << INTRA_WORD_LOG2;
const uint INTRA_BITS = 32 / INTRA_IN_WORD;

layout(local_size_x = INTRA_SIDE_BY_SIDE * INTRA_LANES) in;

layout(std430, binding = 0) coherent buffer Samples { uint samples[]; };
layout(std430, binding = 1) readonly buffer ArenaWords { uint arena_words[]; };
layout(std430, binding = 1) readonly buffer ArenaPairs { uvec2 arena_pairs[]; };
layout(std430, binding = 2) readonly buffer Scratch { uint scratch[]; };
layout(std430, push_constant) uniform Push { IntraPush push; };

// A macroblock and what is around it, a cell for each sample: a row above it, a column on the left,
// 8 samples above and right. Chroma has Cb's there and Cr's on the right of them. The macroblock's own
// rows begin at multiples of four cells, which one access reads.
const uint INTRA_CORNER = 3; // cells of a row before it
const uint INTRA_ROW = INTRA_CORNER + 25;
const uint INTRA_CELLS = INTRA_ROW * 17;
const uint INTRA_SECOND = 9; // from a cell of Cb to Cr's
// A macroblock's filtered edges of an 8x8 block, or sums: 32 cells.
const uint INTRA_LINES = INTRA_CELLS * INTRA_SIDE_BY_SIDE;

shared uint cells[INTRA_LINES + 32 * INTRA_SIDE_BY_SIDE];

// What an invocation knows of its macroblock. Of chroma, half of the invocations have Cb and the
// others Cr.
struct IntraItem {
    uint kind;
    uint lane, lanes; // of those that have the plane
    uint corner;      // cell of the sample above and left of the macroblock
    uint line;        // the plane's first cell of INTRA_LINES
    uint at, stride;  // the first word of samples, words from row to row
    bool has_left, has_above;
    uint source;
    uint modes_low, modes_high;
    uint available;
    uint coded;
};

bool intra_is_chroma(IntraItem item) { return (item.kind & INTRA_CHROMA) != 0; }

bool intra_is(IntraItem item, uint kind) { return (item.kind & ~INTRA_CHROMA) == kind; }

uint intra_rows(IntraItem item) { return intra_is_chroma(item) ? push.chroma_rows : 16; }

// Of words in a row.
uint intra_row_log2(IntraItem item) { return (intra_is_chroma(item) ? 3 : 4) - INTRA_WORD_LOG2; }

IntraItem intra_item(uvec2 work) {
    uint slot = gl_LocalInvocationID.x / INTRA_LANES, lane = gl_LocalInvocationID.x % INTRA_LANES;
    uint count = unpack(work.y, INTRA_STEP_COUNT);
    uint record = (work.x >> 1) + min(slot, count - 1) * 3;
    uvec2 first = arena_pairs[record], modes = arena_pairs[record + 1];
    uvec2 last = arena_pairs[record + 2];
    IntraItem item;
    item.kind = slot < count ? unpack(first.x, INTRA_KIND) : INTRA_IDLE;
    bool chroma = intra_is_chroma(item);
    uint second = chroma ? lane >> 4 : 0, plane = unpack(first.x, INTRA_PLANE) + second;
    item.lanes = chroma ? INTRA_LANES / 2 : INTRA_LANES;
    item.lane = lane - second * (INTRA_LANES / 2);
    item.corner = slot * INTRA_CELLS + INTRA_CORNER + second * INTRA_SECOND;
    item.line = INTRA_LINES + slot * 32 + second * 16;
    item.stride = plane == 0   ? push.plane_stride_0
                  : plane == 1 ? push.plane_stride_1
                               : push.plane_stride_2;
    uint offset = plane == 0   ? push.plane_offset_0
                  : plane == 1 ? push.plane_offset_1
                               : push.plane_offset_2;
    uint x = unpack(first.x, INTRA_X), y = unpack(first.x, INTRA_Y), field = unpack(first.x, INTRA_FIELD);
    // Lines of a field macroblock are every second one of its pair.
    uint line = (y & ~field) * intra_rows(item) + (y & field);
    item.at = offset + line * item.stride + (x << intra_row_log2(item));
    item.stride <<= field;
    item.has_left = x > 0;
    item.has_above = y >> field > 0;
    uint words = push.chroma_rows << (intra_is(item, INTRA_PCM) ? 3 - INTRA_WORD_LOG2 : 2);
    item.source = first.y + second * words;
    item.modes_low = modes.x;
    item.modes_high = modes.y;
    item.available = last.x;
    item.coded = uint(int(last.y) >> second * 8);
    return item;
}

uint intra_part(uint word, uint i) {
    return word >> i * INTRA_BITS & (1u << INTRA_BITS) - 1;
}

// x: -1 and more.
uint intra_sample_at(uint row, int x) {
    uint at = uint(x + 4);
    return intra_part(samples[row + (at >> INTRA_WORD_LOG2) - (4u >> INTRA_WORD_LOG2)],
                      at & INTRA_IN_WORD - 1);
}

// What is not there is not read: no mode that the packer lets pass needs it.
void intra_load_border(IntraItem item) {
    if (item.kind >= INTRA_IDLE || intra_is(item, INTRA_PCM)) return;
    uint lane = item.lane;
    if (lane < (intra_is_chroma(item) ? INTRA_SECOND : 25) && item.has_above &&
        (item.has_left || lane > 0))
        cells[item.corner + lane] = intra_sample_at(item.at - item.stride, int(lane) - 1);
    if (lane < intra_rows(item) && item.has_left)
        cells[item.corner + (lane + 1) * INTRA_ROW] =
            intra_sample_at(item.at + lane * item.stride, -1);
}

// A value of the residuals, which are two in a word.
int intra_residual(uint at, uint x) {
    return int(scratch[at + (x >> 1)] << (~x & 1u) * 16) >> 16;
}

uint intra_clip(int value) { return uint(clamp(value, 0, int(push.sample_max))); }

// Clips the sum of a prediction and its residual; with INTRA_WRAPS it stays whole, and a sample takes
// its lowest bits. With 8 bits, no residual is negative then.
uint intra_sum(IntraItem item, int sum) {
    int wraps = int(item.coded) >> 31;
    return min(uint(max(sum, wraps << 31)), push.sample_max | uint(wraps));
}

#endif
