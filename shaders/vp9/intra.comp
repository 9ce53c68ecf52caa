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
    bool flat_block = block.mode == INTRA_DC || block.mode >= INTRA_DC_LEFT;
    int flat_value = 0;
    if (flat_block) flat_value = intra_flat(block);
    if (intra_has_line(block.mode)) {
        intra_make_line(block);
        barrier();
    }
    IntraPlaces places = intra_places(block);
    bool gradient = block.mode == INTRA_TRUE_MOTION;
    int skewed = block.mode == INTRA_VERTICAL_RIGHT ? 2 : 0, corner = int(cells[INTRA_CORNER]);
    uint across_log2 = block.log2 - INTRA_WORD_LOG2, words = 1u << block.log2 + across_log2;
    for (uint w = gl_LocalInvocationID.x; w < words; w += INTRA_LANES) {
        int y = int(w >> across_log2), column = int(w) - (y << across_log2);
        int place = places.base + column * int(INTRA_IN_WORD) * places.step_x + y * places.step_y +
                    (y & 1) * skewed;
        int slope = gradient ? int(cells[INTRA_CORNER - 1 - y]) - corner : 0;
        int values[INTRA_IN_WORD];
        [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++) {
            values[i] = clamp(int(cells[place]) + slope, 0, int(push.sample_max));
            if (flat_block) values[i] = flat_value;
            place += places.step_x;
        }
        uint at = uint(y) * block.stride + uint(column);
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
