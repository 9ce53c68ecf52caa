// SPDX-License-Identifier: BSD-2-Clause
// VP9 intra blocks: a workgroup has those of one plane of one superblock, and does them one after
// the other, prediction, then residual. A block reads what the ones before it have become.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#define ITX_ACCESS coherent
#include "vp9/itx_core.glsl"
#include "vp9/itx_kinds_dct.glsl"
#include "vp9/itx_kinds_adst.glsl"
#include "vp9/intra_predict.glsl"

void step_done() {
    memoryBarrierBuffer();
    barrier();
}

void main() {
    uvec2 group = itx_load_pair(push.groups + gl_WorkGroupID.x * 2);
    for (uint i = 0; i < group.y; i++) {
        uvec4 record = itx_load(group.x + i * 4);
        ItxTask task;
        itx_place(task, record.x);
        intra_predict(task.at, task.stride, record.y);
        step_done();
        uint lanes_log2 = record.z >> 8 & 0xffu;
        task.kind = record.z & 0xffu;
        if (task.kind == INTRA_NO_RESIDUAL) continue;
        task.block = gl_LocalInvocationID.x >> lanes_log2;
        task.lane = gl_LocalInvocationID.x - (task.block << lanes_log2);
        task.live = task.block == 0;
        task.source = record.w;
        if (task.kind < ITX_ADST_4) itx_kinds_dct(task);
        if (task.kind >= ITX_ADST_4) itx_kinds_adst(task);
        step_done();
    }
}
