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
// 8 samples above and right. Chroma has Cb's there and Cr's on the right of them.
const uint INTRA_ROW = 25;
const uint INTRA_CELLS = INTRA_ROW * 17;
const uint INTRA_SECOND = 9; // from a cell of Cb to Cr's
// An item's filtered edges of an 8x8 block, or sums: 32 cells.
const uint INTRA_LINES = INTRA_CELLS * INTRA_SIDE_BY_SIDE;

shared uint cells[INTRA_LINES + 32 * INTRA_SIDE_BY_SIDE];

struct IntraItem {
    uint kind;
    uint lane;
    uint corner; // cell of the sample above and left of the macroblock
    uint line;   // its first cell of INTRA_LINES
    uint plane;  // of the first samples
    uint x, y;   // in macroblocks
    uint source;
    uint modes_low, modes_high;
    uint available;
    uint coded;
};

IntraItem intra_item(uvec2 work) {
    uint slot = gl_LocalInvocationID.x / INTRA_LANES;
    uint count = work.y & 0xffu;
    uint at = (work.x >> 1) + min(slot, count - 1) * 3;
    uvec2 first = arena_pairs[at], modes = arena_pairs[at + 1], last = arena_pairs[at + 2];
    IntraItem item;
    item.lane = gl_LocalInvocationID.x % INTRA_LANES;
    item.corner = slot * INTRA_CELLS;
    item.line = INTRA_LINES + slot * 32;
    item.kind = slot < count ? first.x >> 20 & 15u : INTRA_IDLE;
    item.plane = first.x >> 24;
    item.x = first.x & 0x3ffu;
    item.y = first.x >> 10 & 0x3ffu;
    item.source = first.y;
    item.modes_low = modes.x;
    item.modes_high = modes.y;
    item.available = last.x;
    item.coded = last.y;
    return item;
}

bool intra_is_chroma(IntraItem item) { return (item.kind & INTRA_CHROMA) != 0; }

// Where a plane of a macroblock begins, in words, and the words from row to row.
uvec2 intra_place(IntraItem item, uint plane) {
    uint offset = plane == 0   ? push.plane_offset_0
                  : plane == 1 ? push.plane_offset_1
                               : push.plane_offset_2;
    uint stride = plane == 0   ? push.plane_stride_0
                  : plane == 1 ? push.plane_stride_1
                               : push.plane_stride_2;
    bool chroma = intra_is_chroma(item);
    uint row = item.y * (chroma ? push.chroma_rows : 16);
    uint column = item.x << (chroma ? 3 : 4) - INTRA_WORD_LOG2;
    return uvec2(offset + row * stride + column, stride);
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
    if (item.kind >= INTRA_IDLE || (item.kind & ~INTRA_CHROMA) == INTRA_PCM) return;
    bool chroma = intra_is_chroma(item);
    uint lane = item.lane;
    bool second = chroma && lane >= INTRA_SECOND;
    uint column = second ? lane - INTRA_SECOND : lane;
    uvec2 place = intra_place(item, item.plane + uint(second));
    bool there = lane < (chroma ? 2 * INTRA_SECOND : INTRA_ROW) && item.y > 0;
    if (there && (item.x > 0 || column > 0))
        cells[item.corner + lane] = intra_sample_at(place.x - place.y, int(column) - 1);
    // Rows of both chroma planes take turns.
    uint row = chroma ? lane >> 1 : lane;
    second = chroma && (lane & 1) != 0;
    place = intra_place(item, item.plane + uint(second));
    if (row < (chroma ? push.chroma_rows : 16) && item.x > 0)
        cells[item.corner + (row + 1) * INTRA_ROW + (second ? INTRA_SECOND : 0)] =
            intra_sample_at(place.x + row * place.y, -1);
}

// A value of the residuals, which are two in a word.
int intra_residual(uint at, uint x) {
    return int(scratch[at + (x >> 1)] << (~x & 1u) * 16) >> 16;
}

uint intra_clip(int value) { return uint(clamp(value, 0, int(push.sample_max))); }

#endif
