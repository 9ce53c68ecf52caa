// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_IO_GLSL
#define VP9_RESIDUAL_IO_GLSL

#include "records/vp9_residual.h"

#include "common/residual_io.glsl"

// From the first pass to the second; each size lays its blocks out in it in its own way.
shared uint cells[4096];

// The samples that a residual is added to: those of the picture, or where residuals are made for
// themselves, samples that are all the same.
#ifdef RESIDUAL_ALONE
uint residual_flat;
uint residual_before(uint at) { return residual_flat; }
#else
uint residual_before(uint at) { return samples[at]; }
#endif

// Four words of coefficients.
uvec4 residual_load(uint word) {
#ifdef RESIDUAL_WORDS
    return uvec4(cells[word], cells[word + 1], cells[word + 2], cells[word + 3]);
#else
    return arena_quads[word >> 2];
#endif
}

// Where row or row pair `number` of a block's coefficients begins, `cell` being the block's first
// cell.
uint residual_row_source(ResidualTask task, uint cell, uint number, uint edge, uint n) {
#ifdef RESIDUAL_WORDS
    return cell + number * n;
#else
    return task.source + number * edge;
#endif
}

ResidualTask residual_task() {
    uvec2 group = residual_load_pair(push.groups + gl_WorkGroupID.x * 2);
    uint count = unpack(group.y, RESIDUAL_WORDS_COUNT);
    ResidualTask task = residual_task_of(group, count);
#ifdef RESIDUAL_WORDS
    uvec4 record = arena_quads[(group.x >> 2) + min(task.block, count - 1)];
    task.group = group.y;
    task.count = record.z;
    task.factors = record.w;
#else
    uvec2 record = residual_load_pair(group.x + min(task.block, count - 1) * 2);
#endif
    task.source = record.y;
    uint plane = unpack(record.x, PLACE_PLANE);
    uint offset = push.plane_offset_0;
    task.stride = push.plane_stride_0;
    if (plane != 0) {
        offset = plane == 1 ? push.plane_offset_1 : push.plane_offset_2;
        task.stride = push.plane_stride_1;
    }
    task.at = offset + unpack(record.x, PLACE_Y) * 4 * task.stride +
              unpack(record.x, PLACE_X) * RESIDUAL_WORDS_OF_FOUR;
#ifdef RESIDUAL_ALONE
    bool second = unpack(group.y, RESIDUAL_WORDS_PART) != 0;
    residual_flat = second ? 0xffffffffu : push.before;
    if (second) task.at += push.part_words;
#endif
    return task;
}

#endif
