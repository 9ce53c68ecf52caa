// SPDX-License-Identifier: BSD-2-Clause
// What the functions of a VP9 table do: record, or do it at once.
#pragma once

#include <span>

#include "dsp/call.hpp"
#include "v3doff/vp9dsp.h"
#include "vp9/filter/edge.hpp"

namespace v3doff::dsp {

// False: there is no table for this bit depth.
bool fill_table(v3doff_vp9dsp &table, uint32_t bit_depth);

void vp9_itxfm_add(const Call &call, int tx, int type, int16_t *block, int eob) noexcept;

// One edge, or two that follow each other along the edge.
void vp9_loop_filter(const Call &call, bool between_rows,
                     std::span<const vp9::EdgeCall> edges) noexcept;

// A block of motion compensation. Steps in 1/16 sample, 16 where the reference is not scaled.
struct Vp9Prediction {
    unsigned width, filter;
    bool average;
    const uint8_t *ref;
    ptrdiff_t ref_stride;
    int h, mx, my, dx, dy;
};
void vp9_predict(const Call &call, const Vp9Prediction &block) noexcept;

} // namespace v3doff::dsp
