// SPDX-License-Identifier: BSD-2-Clause
// Lossless blocks predicted along a direction: each sample is its neighbour plus a difference, so
// the block is the prediction of ITU-T H.264 8.3 plus running sums of the differences (8.5.15).
// The prediction is written at once, the sums are residuals that bypass the transform.
#pragma once

#include <cstddef>
#include <cstdint>

#include "v3doff/v3doff.h"

namespace v3doff::h264 {

// Numbered as in v3doff/h264.h.
enum class PredictShape : unsigned { luma4x4, luma8x8, luma8x8_filtered, chroma8x8, luma16x16 };
inline constexpr unsigned kPredictShapes = 5;
enum class PredictDirection : unsigned { vertical, horizontal };

struct Prediction {
    PredictShape shape;
    PredictDirection direction;
    bool has_top_left, has_top_right; // of luma8x8_filtered
    uint32_t width, height;           // samples; chroma8x8 of 4:2:2 is 8x16
};

Prediction prediction_of(PredictShape shape, PredictDirection direction, bool has_top_left,
                         bool has_top_right, v3doff_chroma chroma);

// The samples at dst become the row above or the column left of them, repeated; filtered first
// where the shape says so (8.3.2.2.1). Reads that row or column, with the filter also its
// neighbours that are there.
void write_prediction(const Prediction &prediction, void *dst, std::ptrdiff_t stride_bytes,
                      int bit_depth);

// Sums along the direction, modulo 2^32, into sums[y * width + x]. The coefficients are blocks of
// 4x4 in FFmpeg's order, or one of 8x8; within a block [y * edge + x].
void sum_differences(const Prediction &prediction, const void *coefficients, int bit_depth,
                     int32_t *sums);

// Both, and the sums added.
void predict_add_reference(const Prediction &prediction, void *dst, std::ptrdiff_t stride_bytes,
                           const void *coefficients, int bit_depth);

} // namespace v3doff::h264
