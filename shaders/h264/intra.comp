// SPDX-License-Identifier: BSD-2-Clause
// H.264 intra macroblocks (ITU-T H.264 8.3), whose residuals are in scratch memory. In a step, a
// workgroup does macroblocks that do not depend on each other; its steps follow one another.
// INTRA_DEPTH is the bit depth, of which the kernel distinguishes 8 and more.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "h264/intra_io.glsl"

#include "h264/intra_blocks.glsl"
#include "h264/intra_whole.glsl"

void intra_phase(IntraItem item, uint phase) {
    if (item.kind <= INTRA_BLOCKS_8) intra_blocks(item, phase);
    if (intra_is(item, INTRA_WHOLE)) {
        if (phase == 0) intra_whole_sums(item);
        if (phase == 1) intra_whole_results(item);
        if (phase == 2) intra_whole(item);
    }
    if (phase == 0 && intra_is(item, INTRA_PCM)) intra_pcm(item);
}

void main() {
    uvec2 group = arena_pairs[(push.groups >> 1) + gl_WorkGroupID.x];
    [[dont_unroll]] for (uint i = 0; i < group.y; i++) {
        uvec2 work = arena_pairs[(group.x >> 1) + i];
        IntraItem item = intra_item(work);
        intra_load_border(item);
        barrier();
        uint phases = unpack(work.y, INTRA_STEP_PHASES);
        [[dont_unroll]] for (uint phase = 0; phase < phases; phase++) {
            intra_phase(item, phase);
            barrier();
        }
        if (item.kind <= INTRA_BLOCKS_8) intra_store_blocks(item);
        memoryBarrierBuffer();
        barrier();
    }
}
