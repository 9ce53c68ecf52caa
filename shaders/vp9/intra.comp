// SPDX-License-Identifier: BSD-2-Clause
// VP9 intra blocks: a workgroup has those of one plane of one superblock, and does them one after
// the other. A block reads the results of the blocks before it.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/intra_io.glsl"
#include "vp9/intra_edges.glsl"
#include "vp9/intra_modes.glsl"

void intra_block(uvec2 record) {
    IntraBlock block = intra_block_of(record);
    intra_load_edges(block);
    barrier();
    int flat_value = 0;
    if (block.mode == INTRA_DC || block.mode >= INTRA_DC_LEFT) flat_value = intra_flat(block);
    uint across_log2 = block.log2 - INTRA_WORD_LOG2, words = 1u << block.log2 + across_log2;
    for (uint w = gl_LocalInvocationID.x; w < words; w += INTRA_LANES) {
        uint y = w >> across_log2, column = w - (y << across_log2);
        int values[INTRA_IN_WORD];
        [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++)
            values[i] = intra_sample(block, int(column * INTRA_IN_WORD + i), int(y), flat_value);
        uint at = y * block.stride + column;
        if ((block.shape & INTRA_HAS_RESIDUAL) != 0) intra_add_residual(block.scratch + at, values);
        samples[block.at + at] = intra_word(values);
    }
}

void main() {
    uvec2 group = arena_pairs[(push.groups >> 1) + gl_WorkGroupID.x];
    for (uint i = 0; i < group.y; i++) {
        intra_block(arena_pairs[(group.x >> 1) + i]);
        memoryBarrierBuffer();
        barrier();
    }
}
