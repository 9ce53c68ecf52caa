// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_INTRA_IO_GLSL
#define VP9_INTRA_IO_GLSL

#include "records/vp9_intra.h"

// INTRA_DEPTH is the bit depth, of which the kernel distinguishes 8 and more: a word of samples
// holds four of 8 bits or two of more.
#if INTRA_DEPTH == 8
const uint INTRA_WORD_LOG2 = 2;
#else
const uint INTRA_WORD_LOG2 = 1;
#endif
const uint INTRA_IN_WORD = 1u << INTRA_WORD_LOG2;
const uint INTRA_BITS = 32 / INTRA_IN_WORD;

layout(local_size_x = INTRA_LANES) in;

layout(std430, binding = 0) coherent buffer Samples { uint samples[]; };
layout(std430, binding = 1) readonly buffer ArenaPairs { uvec2 arena_pairs[]; };
layout(std430, binding = 2) readonly buffer Scratch { uint scratch[]; };
layout(std430, push_constant) uniform Push { IntraPush push; };

struct IntraBlock {
    uint at, stride; // of the first sample's word, from row to row
    uint scratch;    // of the first residual's word
    uint shape;
    uint mode, log2;
    int n, wide; // samples on the left, and above
};

IntraBlock intra_block_of(uvec2 record) {
    uint plane = unpack(record.x, PLACE_PLANE);
    IntraBlock block;
    block.shape = record.y;
    block.mode = unpack(record.y, INTRA_MODE);
    block.log2 = unpack(record.y, INTRA_LOG2);
    block.n = 1 << block.log2;
    block.wide = block.log2 == 2 ? 8 : block.n;
    block.stride = plane == 0 ? push.plane_stride_0 : push.plane_stride_1;
    uint inside = unpack(record.x, PLACE_Y) * 4 * block.stride +
                  (unpack(record.x, PLACE_X) << 2 - INTRA_WORD_LOG2);
    block.at = inside + (plane == 0 ? push.plane_offset_0
                                    : plane == 1 ? push.plane_offset_1 : push.plane_offset_2);
    block.scratch = inside + (plane == 0 ? push.scratch_offset_0
                                         : plane == 1 ? push.scratch_offset_1
                                                      : push.scratch_offset_2);
    return block;
}

int intra_part(uint word, uint i) {
    return int(word >> i * INTRA_BITS & (1u << INTRA_BITS) - 1);
}

void intra_add_residual(uint at, inout int values[INTRA_IN_WORD]) {
#if INTRA_DEPTH == 8
    uint more = scratch[at], less = scratch[at + push.scratch_part];
    [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++)
        values[i] += intra_part(more, i) + intra_part(less, i) - 255;
#else
    uint word = scratch[at];
    [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++) values[i] += intra_part(word, i) - 32768;
#endif
}

uint intra_word(int values[INTRA_IN_WORD]) {
    uint word = 0;
    [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++)
        word += uint(clamp(values[i], 0, int(push.sample_max))) << i * INTRA_BITS;
    return word;
}

#endif
