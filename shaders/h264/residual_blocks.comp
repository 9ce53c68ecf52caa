// SPDX-License-Identifier: BSD-2-Clause
// The records of residual blocks, from macroblocks that were recorded as words: an invocation has
// one macroblock. Their coefficients stay where they are.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "records/h264_residual.h"

layout(local_size_x = RESIDUAL_MACROBLOCKS) in;
layout(std430, set = 0, binding = 1) buffer Arena { uint arena[]; };
layout(std430, set = 0, binding = 1) buffer ArenaPairs { uvec2 arena_pairs[]; };
layout(push_constant) uniform Push { ResidualBlocksPush push; };

struct ResidualNext {
    uint source;               // of the next block's coefficients
    uint small, corner, large; // where the next record of each kind goes, in pairs of words
};

// In the order of 6.4.3 as_luma, else in raster order, two in a row.
uvec2 residual_place(uint block, bool as_luma) {
    uint luma_x = (block & 1u) | (block >> 1 & 2u), luma_y = (block >> 1 & 1u) | (block >> 2 & 2u);
    return as_luma ? uvec2(luma_x, luma_y) : uvec2(block & 1u, block >> 1);
}

// step: log2 of what a place has more for the next block across and down.
void residual_blocks(uint coded, uint first, uvec2 step, bool as_luma, inout ResidualNext next) {
    [[dont_unroll]] while (coded != 0u) {
        uint block = uint(findLSB(coded));
        coded &= coded - 1u;
        uvec2 place = residual_place(block, as_luma);
        arena_pairs[next.small++] =
            uvec2(first + (place.x << step.x) + (place.y << step.y), next.source);
        next.source += push.block_words;
    }
}

// Blocks of 8x8 have the bits of four. corners: a bit each.
void residual_large_blocks(uint coded, uint corners, uint first, uvec2 step,
                           inout ResidualNext next) {
    [[dont_unroll]] for (uint i = 0u; i < 4u; i++) {
        if ((coded >> i * 4u & 1u) == 0u) continue;
        bool corner = (corners >> i & 1u) != 0u;
        uint x = (i & 1u) * 2u, y = i & 2u;
        arena_pairs[corner ? next.corner : next.large] =
            uvec2(first + (x << step.x) + (y << step.y), next.source);
        next.corner += corner ? 1u : 0u;
        next.large += corner ? 0u : 1u;
        next.source += push.block_words * 4u;
    }
}

void main() {
    uint number = gl_GlobalInvocationID.x;
    if (number >= push.count) return;
    uint at = push.macroblocks + number * 7u;
    uint place = arena[at], coded_01 = arena[at + 1u], coded_2 = arena[at + 2u];
    bool scratch = number >= push.in_picture;
    number -= push.in_picture; // of those in scratch memory
    ResidualNext next = ResidualNext(
        push.coefficients + arena[at + 3u],
        ((scratch ? push.scratch.of_4 : push.picture.of_4) >> 1) + arena[at + 4u],
        ((scratch ? push.scratch.of_8_4 : push.picture.of_8_4) >> 1) + arena[at + 5u],
        ((scratch ? push.scratch.of_8 : push.picture.of_8) >> 1) + arena[at + 6u]);
    uint x = unpack(place, RESIDUAL_X), y = unpack(place, RESIDUAL_Y);
    // A field macroblock has every second line of its pair.
    uint lines = place & (pack(1u, RESIDUAL_FIELD) | pack(1u, RESIDUAL_PARITY));
    bool field = lines != 0u;
    bool large = (place & RESIDUAL_TRANSFORM_8X8) != 0u;
    // In scratch memory a macroblock has its planes one after the other, a word for two values.
    uint first_word = number * push.scratch_words;
    [[unroll]] for (uint p = 0u; p < 3u; p++) {
        uint coded = p == 1u ? unpack(coded_01, UPPER_HALF)
                             : unpack(p == 0u ? coded_01 : coded_2, LOWER_HALF);
        uint shift_x = p == 0u ? 0u : push.shift_x, shift_y = p == 0u ? 0u : push.shift_y;
        uint row = 8u >> shift_x;
        uint first = scratch ? first_word | pack(row, RESIDUAL_SCRATCH_STRIDE)
                             : lines | pack(p, RESIDUAL_PLANE) |
                                   y << RESIDUAL_Y.first + 2u - shift_y | x << 2u - shift_x;
        uint down = field ? RESIDUAL_Y.first + 1u : RESIDUAL_Y.first;
        uvec2 step = scratch ? uvec2(1u, 5u - shift_x) : uvec2(0u, down);
        bool as_luma = p == 0u || push.chroma_as_luma != 0u;
        if (large && as_luma)
            residual_large_blocks(coded, coded_2 >> 16u + p * 4u, first, step, next);
        else
            residual_blocks(coded, first, step, as_luma, next);
        first_word += 8u * 16u >> (shift_x + shift_y);
    }
}
