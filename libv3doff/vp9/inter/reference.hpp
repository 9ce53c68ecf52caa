// SPDX-License-Identifier: BSD-2-Clause
// VP9 motion compensation of a block (VP9 bitstream specification 8.5.2.3) in plain loops: what the
// shaders are held against, and what is done where they cannot run.
#pragma once

#include <algorithm>
#include <cstdint>

#include "picture/stage.hpp"

namespace v3doff::vp9 {

inline constexpr uint8_t inter_unscaled = 16;   // a step of one whole sample
inline constexpr uint32_t inter_references = 3; // of a picture

// One block of one plane. x and y in samples; ref_x and ref_y: the reference's sample that the
// first one lies on; mx, my and the steps in 1/16 sample.
struct InterInput {
    uint32_t plane, x, y;
    int32_t ref_x, ref_y;
    uint8_t width, height, mx, my, step_x, step_y, filter;
    bool average;
    uint8_t reference; // which of the stage's

    bool scaled() const { return step_x != inter_unscaled || step_y != inter_unscaled; }
};

inline constexpr unsigned inter_filters = 4, inter_fractions = 16;
inline constexpr int inter_taps = 8;
// A block of 64 samples at a step of two, with what the filter reaches, is smaller.
inline constexpr int32_t inter_furthest = 200;
// A block that lies further outside than this reads nothing but edge samples, wherever it is.
inline int32_t inter_near(int32_t at, uint32_t size) {
    return std::clamp(at, -inter_furthest, int32_t(size) + inter_taps);
}

// Taps for samples -3 to 4 of a fraction; they sum up to 128. The filters in FFmpeg's order:
// smooth, regular, sharp, bilinear. Bilinear interpolation is that of two taps, to the bit.
const int16_t (&inter_filter(unsigned filter, unsigned fraction))[inter_taps];

// Predicts into the picture, or averages with what stands there.
void inter_predict_reference(const PictureView &picture, const InterInput &block,
                             const PictureView &reference);

} // namespace v3doff::vp9
