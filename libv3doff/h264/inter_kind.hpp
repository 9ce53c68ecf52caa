// SPDX-License-Identifier: BSD-2-Clause
// Which kernel predicts a rectangle of one plane, how many invocations share it, and what they
// cost.
#pragma once

#include "picture/plan.hpp"
#include "h264/inter_reference.hpp"
#include "records/h264_inter.h"

namespace v3doff::h264 {

// What becomes of a prediction. The first two overwrite what stands there, the others need it: the
// first prediction of the same rectangle.
enum class InterMode : uint8_t { put, weighted, average, weighted_second };
inline constexpr unsigned inter_modes = 4;
inline bool inter_second(InterMode mode) {
    return mode >= InterMode::average;
}

// A prediction's place in the reference: the whole sample left of and above its first one, and the
// fractions, of luma in quarters, of chroma in eighths.
struct InterPlace {
    int x, y, fraction_x, fraction_y;
};

// What all rectangles of a plane have in common.
struct InterPlane {
    bool as_luma = true;
    unsigned shift_x = 0, shift_y = 0;
    int width = 0, height = 0; // whole macroblocks

    InterPlane() = default;
    InterPlane(const PictureFormat &format, unsigned plane);
    InterPlace place(const InterInput &block, unsigned list) const;
    // Whether nothing outside of the reference is read.
    bool inside(const InterPlace &place, const InterInput &block) const;
};

uint inter_kind(const InterPlane &plane, const InterPlace &place, const InterInput &block,
                InterMode mode, uint32_t bit_depth);

// log2 of the samples of a row that an invocation makes.
uint inter_samples_log2(uint kind, uint32_t bit_depth);

// Instructions of an invocation that makes so many rows.
uint inter_cost(uint kind, uint rows);

} // namespace v3doff::h264
