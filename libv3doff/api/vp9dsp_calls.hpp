// SPDX-License-Identifier: BSD-2-Clause
// What the functions of a VP9 table do: record, or do it at once.
#pragma once

#include "api/dsp.hpp"

namespace v3doff::api {

void vp9_itxfm_add(const DspCall &call, int tx, int type, int16_t *block, int eob) noexcept;

// 8 lines of an edge; limits as FFmpeg's functions take them.
struct Vp9Edge {
    unsigned size; // 4, 8 or 16
    int e, i, h;
};

// One edge, or two that follow each other along the edge.
void vp9_loop_filter(const DspCall &call, bool between_rows, const Vp9Edge *edges,
                     unsigned count) noexcept;

// A block of motion compensation. Steps in 1/16 sample, 16 where the reference is not scaled.
struct Vp9Prediction {
    unsigned width, filter;
    bool average;
    const uint8_t *ref;
    ptrdiff_t ref_stride;
    int h, mx, my, dx, dy;
};
void vp9_predict(const DspCall &call, const Vp9Prediction &block) noexcept;

} // namespace v3doff::api
