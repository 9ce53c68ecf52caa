// SPDX-License-Identifier: BSD-2-Clause
// Included by all loop filter shaders: buffers, push constants, planes and records. FILTER_DEPTH is
// the bit depth. With 8 a word of samples holds four of them, otherwise two.

#include "records/vp9_filter.h"

layout(local_size_x = FILTER_LANES) in;

layout(std430, binding = 0) coherent buffer Samples { uint samples[]; };
layout(std430, binding = 1) readonly buffer Arena { uint arena[]; };
layout(std430, binding = 2) coherent buffer Scratch { uint scratch[]; };
layout(std430, push_constant) uniform Push { FilterPush push; };

#if FILTER_DEPTH == 8
const uint WORD_SHIFT = 2; // samples in a word, as a shift
#else
const uint WORD_SHIFT = 1;
#endif

struct Plane {
    uint offset, stride;   // words
    uint shift_x, shift_y; // of luma's dimensions
    uint width, height;    // samples that are filtered
    uint lines;            // in a superblock, where its edges between columns begin
};

Plane plane_of(uint number) {
    bool luma = number == 0;
    Plane plane;
    plane.offset = luma ? push.plane_offset_0
                        : number == 1 ? push.plane_offset_1 : push.plane_offset_2;
    plane.stride = luma ? push.plane_stride_0 : push.plane_stride_1;
    plane.shift_x = luma ? 0u : push.format & 1u;
    plane.shift_y = luma ? 0u : push.format >> 1 & 1u;
    plane.width = push.width >> plane.shift_x;
    plane.height = push.height >> plane.shift_y;
    plane.lines = luma ? 0u : (push.format & FILTER_FORMAT_OWN_MARKS) << 2;
    return plane;
}

// A line of blocks of a superblock: of edges between columns, the `number`-th row of blocks, or of
// edges between rows, the `number`-th column. An invocation without work reads the first line, whose
// marks it then drops: in V3D's code a load under a condition costs more.
FilterLine line_of(bool working, Plane plane, uint row, uint col, bool between_rows,
                       uint number) {
    number += plane.lines + (between_rows ? 8u >> plane.shift_y : 0u);
    number += (row * push.cols + col) * push.superblock_lines;
    uint at = 4u * (push.lines + (working ? number : 0u));
    FilterLine line = FilterLine(arena[at], arena[at + 1u], arena[at + 2u], arena[at + 3u]);
    line.marks = working ? line.marks : 0u;
    return line;
}

uint marks_behind(FilterLine line) {
    uint half_shift = unpack(line.cut, FILTER_HALF_CUT); // twice, because a shift by 32 is not defined
    return line.marks & (~0u << half_shift) << half_shift;
}
