// SPDX-License-Identifier: BSD-2-Clause
// Which kernel predicts a rectangle of one plane, and how many invocations share it.
#pragma once

#include "h264/inter/reference.hpp"
#include "picture/plan.hpp"
#include "records/h264_inter.h"

namespace v3doff::h264 {

// What becomes of a prediction. The first two overwrite what stands there, the others need it: the
// first prediction of the same rectangle.
enum class InterMode : uint8_t { put, weighted, average, weighted_second };
inline constexpr unsigned inter_modes = 4;
inline bool inter_second(InterMode mode) {
    return mode >= InterMode::average;
}
inline bool inter_weighs(InterMode mode) {
    return mode == InterMode::weighted || mode == InterMode::weighted_second;
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
    // chroma_down: InterFrom's, of chroma.
    InterPlace place(const InterInput &block, unsigned list, int chroma_down = 0) const;
    // Whether nothing outside of the reference is read.
    bool inside(const InterPlace &place, const InterInput &block) const;
};

inline InterPlace InterPlane::place(const InterInput &block, unsigned list, int chroma_down) const {
    const int across = block.vector[list][0], down = block.vector[list][1] + chroma_down;
    InterPlace place;
    place.x = (block.x >> shift_x) + (across >> (2 + shift_x));
    place.y = (block.y >> shift_y) + (down >> (2 + shift_y));
    place.fraction_x = as_luma ? across & 3 : across * (2 >> shift_x) & 7;
    place.fraction_y = as_luma ? down & 3 : down * (2 >> shift_y) & 7;
    return place;
}

inline bool InterPlane::inside(const InterPlace &place, const InterInput &block) const {
    const int before = as_luma ? 2 : 0, behind = as_luma ? 3 : 1;
    const bool filters_x = place.fraction_x, filters_y = place.fraction_y;
    const int left = place.x - (filters_x ? before : 0), top = place.y - (filters_y ? before : 0);
    const int right = place.x + (block.width >> shift_x) + (filters_x ? behind : 0);
    const int bottom = place.y + (block.height >> shift_y) + (filters_y ? behind : 0);
    return left >= 0 && top >= 0 && right <= width && bottom <= height;
}

uint inter_kind(const InterPlane &plane, const InterPlace &place, const InterInput &block,
                InterMode mode, uint32_t bit_depth);

// log2 of the samples of a row that an invocation makes.
uint inter_samples_log2(uint kind, uint32_t bit_depth);

} // namespace v3doff::h264
