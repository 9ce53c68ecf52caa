// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_RESIDUAL_IO_GLSL
#define H264_RESIDUAL_IO_GLSL

#include "records/h264_residual.h"

#include "common/residual_io.glsl"

// With RESIDUAL_ALONE the transforms go to scratch memory, two values of 16 bits a word, for intra
// prediction to add: `samples` is that then, and places and rows are whole pairs of words.
#ifdef RESIDUAL_ALONE
layout(std430, set = 0, binding = 0) buffer SamplePairs {
    uvec2 sample_pairs[];
};
#endif

uint residual_before(uint at) { return samples[at]; }

// Four words of coefficients.
uvec4 residual_load(uint word) { return arena_quads[word >> 2]; }

uint residual_load_word(uint word) {
    uvec2 pair = residual_load_pair(word);
    return (word & 1u) != 0u ? pair.y : pair.x;
}

ResidualTask residual_task() {
    uvec2 group = residual_load_pair(push.groups + gl_WorkGroupID.x * 2);
    uint count = unpack(group.y, RESIDUAL_GROUP_COUNT);
    ResidualTask task = residual_task_of(group, count);
    uvec2 record = residual_load_pair(group.x + min(task.block, count - 1) * 2);
    task.source = record.y;
#ifdef RESIDUAL_ALONE
    task.at = unpack(record.x, RESIDUAL_SCRATCH);
    task.stride = unpack(record.x, RESIDUAL_SCRATCH_STRIDE);
    return task;
}
#else
    uint plane = unpack(record.x, RESIDUAL_PLANE);
    uint offset = plane == 0   ? push.plane_offset_0
                  : plane == 1 ? push.plane_offset_1
                               : push.plane_offset_2;
    uint stride = plane == 0   ? push.plane_stride_0
                  : plane == 1 ? push.plane_stride_1
                               : push.plane_stride_2;
    uint row = unpack(record.x, RESIDUAL_Y) * 4 + unpack(record.x, RESIDUAL_PARITY);
    task.at = offset + row * stride + unpack(record.x, RESIDUAL_X) * RESIDUAL_WORDS_OF_FOUR;
    task.stride = stride << unpack(record.x, RESIDUAL_FIELD);
    return task;
}
#endif

#endif
