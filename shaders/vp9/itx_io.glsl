// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_ITX_IO_GLSL
#define VP9_ITX_IO_GLSL

#include "records/vp9_itx.h"

layout(std430, set = 0, binding = 0) buffer Samples {
    uint samples[];
};
layout(std430, set = 0, binding = 1) readonly buffer Arena {
    uint arena[];
};
// The same memory: one access of four words costs V3D less than four accesses.
layout(std430, set = 0, binding = 1) readonly buffer ArenaQuads {
    uvec4 arena_quads[];
};
layout(push_constant) uniform Push {
    ItxPush push;
};

// Four words of coefficients; blocks begin at multiples of four words.
uvec4 itx_load(uint word) {
#ifdef ITX_UNALIGNED
    return uvec4(arena[word], arena[word + 1], arena[word + 2], arena[word + 3]);
#else
    return arena_quads[word >> 2];
#endif
}

// First pass to second pass; each size lays out its blocks in it anew.
shared uvec4 cells[ITX_SHARED_QUADS];

ItxGroup itx_group() {
    uint at = push.groups + gl_WorkGroupID.x * 2;
    return ItxGroup(arena[at], arena[at + 1]);
}

ItxRecord itx_record(ItxGroup group, uint index) {
    uint at = group.records + index * 2;
    return ItxRecord(arena[at], arena[at + 1]);
}

// Word address of the block's first sample.
uint itx_place(uint place, out uint stride) {
    uint plane = place >> 28;
    uint offset = push.plane_offset_0;
    stride = push.plane_stride_0;
    if (plane != 0) {
        offset = plane == 1 ? push.plane_offset_1 : push.plane_offset_2;
        stride = push.plane_stride_1;
    }
    return offset + (place >> 14 & 0x3fffu) * 4 * stride + (place & 0x3fffu) * ITX_QUAD_WORDS;
}

// Two values of 16 bits in a word. The sum instead of the union lets the multiplier take it.
int itx_low(uint word) { return int(word << 16) >> 16; }

int itx_high(uint word) { return int(word) >> 16; }

uint itx_pair(int low, int high) { return (uint(low) & 0xffffu) + (uint(high) << 16); }

#endif
