// SPDX-License-Identifier: BSD-2-Clause
// What every loop filter shader sees: buffers, push constants, and where planes and records lie.
// LOOPFILTER_DEPTH is the bit depth: with 8 a word of samples holds four of them, else two.

#include "records/vp9_loopfilter.h"

layout(local_size_x = LOOPFILTER_LANES) in;

layout(std430, binding = 0) coherent buffer Samples { uint samples[]; };
layout(std430, binding = 1) readonly buffer Arena { uint arena[]; };
layout(std430, push_constant) uniform Push { LoopfilterPush push; };

#if LOOPFILTER_DEPTH == 8
const uint WORD_SHIFT = 2; // samples in a word, as a shift
#else
const uint WORD_SHIFT = 1;
#endif

struct Plane {
    uint offset, stride;   // words
    uint shift_x, shift_y; // of luma's dimensions
    uint lines;            // in a superblock, where its edges between columns begin
};

Plane plane_of(uint plane) {
    if (plane == 0) return Plane(push.plane_offset_0, push.plane_stride_0, 0, 0, 0);
    bool second = plane == 2;
    return Plane(second ? push.plane_offset_2 : push.plane_offset_1,
                 second ? push.plane_stride_2 : push.plane_stride_1, push.format & 1u,
                 (push.format >> 1) & 1u, (push.format & 4u) << 2);
}

// A lane without work reads the first line, whose marks it then drops.
LoopfilterLine line_of(bool working, uint superblock, uint line) {
    uint number = superblock * push.superblock_lines + line;
    uint at = 4u * (push.lines + (working ? number : 0u));
    LoopfilterLine result = LoopfilterLine(arena[at], arena[at + 1u], arena[at + 2u], 0u);
    result.marks = working ? result.marks : 0u;
    return result;
}
