// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual/predict.hpp"

#include <algorithm>

namespace v3doff::h264 {
namespace {

// What stands before the block along the direction: from `first` on, samples `step` apart.
template <typename Sample>
struct PredictedEdge {
    const Sample *first;
    std::ptrdiff_t step;
    int operator[](std::ptrdiff_t i) const { return first[i * step]; }
};

// 8.3.2.2.1 of the eight samples above or left of an 8x8 block. The one before the first is the
// corner; there is none behind the last on the left.
template <typename Sample>
void filter_edge(const PredictedEdge<Sample> &edge, bool has_before, bool has_behind, Sample *to) {
    for (int i = 0; i < 8; i++) {
        const int before = i > 0 || has_before ? edge[i - 1] : edge[0];
        const int behind = i < 7 || has_behind ? edge[i + 1] : edge[7];
        to[i] = Sample((before + 2 * edge[i] + behind + 2) >> 2);
    }
}

template <typename Sample>
void predict(const Prediction &p, Sample *dst, std::ptrdiff_t stride) {
    const bool vertical = p.direction == PredictDirection::vertical;
    const PredictedEdge<Sample> edge =
        vertical ? PredictedEdge<Sample>{dst - stride, 1} : PredictedEdge<Sample>{dst - 1, stride};
    Sample line[16];
    if (p.shape == PredictShape::luma8x8_filtered)
        filter_edge(edge, p.has_top_left, vertical && p.has_top_right, line);
    else
        for (uint32_t i = 0; i < (vertical ? p.width : p.height); i++)
            line[i] = Sample(edge[i]);
    for (uint32_t y = 0; y < p.height; y++)
        for (uint32_t x = 0; x < p.width; x++)
            dst[y * stride + x] = line[vertical ? x : y];
}

// The difference of a sample in FFmpeg's order of blocks.
template <typename Coefficient>
int32_t difference(const Prediction &p, const Coefficient *coefficients, uint32_t x, uint32_t y) {
    const bool whole =
        p.shape == PredictShape::luma8x8 || p.shape == PredictShape::luma8x8_filtered;
    if (whole) return coefficients[y * 8 + x];
    const uint32_t column = x / 4, row = y / 4;
    const uint32_t number =
        p.width == 16 ? (column & 1) | (row & 1) << 1 | (column >> 1) << 2 | (row >> 1) << 3
                      : row * (p.width / 4) + column;
    return coefficients[number * 16 + y % 4 * 4 + x % 4];
}

template <typename Coefficient>
void sum(const Prediction &p, const Coefficient *coefficients, int32_t *sums) {
    const bool vertical = p.direction == PredictDirection::vertical;
    const uint32_t before = vertical ? p.width : 1;
    for (uint32_t y = 0; y < p.height; y++)
        for (uint32_t x = 0; x < p.width; x++) {
            int32_t *at = sums + y * p.width + x;
            const uint32_t so_far = (vertical ? y : x) ? uint32_t(*(at - before)) : 0;
            *at = int32_t(so_far + uint32_t(difference(p, coefficients, x, y)));
        }
}

template <typename Sample>
void add(const Prediction &p, Sample *dst, std::ptrdiff_t stride, const int32_t *sums) {
    for (uint32_t y = 0; y < p.height; y++)
        for (uint32_t x = 0; x < p.width; x++)
            dst[y * stride + x] = Sample(dst[y * stride + x] + uint32_t(sums[y * p.width + x]));
}

} // namespace

Prediction prediction_of(PredictShape shape, PredictDirection direction, bool has_top_left,
                         bool has_top_right, v3doff_chroma chroma) {
    static constexpr uint32_t edge[kPredictShapes] = {4, 8, 8, 8, 16};
    const uint32_t width = edge[unsigned(shape)];
    const bool tall = shape == PredictShape::chroma8x8 && chroma == V3DOFF_CHROMA_422;
    return {shape, direction, has_top_left, has_top_right, width, tall ? 16 : width};
}

void write_prediction(const Prediction &prediction, void *dst, std::ptrdiff_t stride_bytes,
                      int bit_depth) {
    if (bit_depth == 8)
        predict(prediction, static_cast<uint8_t *>(dst), stride_bytes);
    else
        predict(prediction, static_cast<uint16_t *>(dst), stride_bytes / 2);
}

void sum_differences(const Prediction &prediction, const void *coefficients, int bit_depth,
                     int32_t *sums) {
    if (bit_depth == 8)
        sum(prediction, static_cast<const int16_t *>(coefficients), sums);
    else
        sum(prediction, static_cast<const int32_t *>(coefficients), sums);
}

void predict_add_reference(const Prediction &prediction, void *dst, std::ptrdiff_t stride_bytes,
                           const void *coefficients, int bit_depth) {
    int32_t sums[16 * 16];
    sum_differences(prediction, coefficients, bit_depth, sums);
    write_prediction(prediction, dst, stride_bytes, bit_depth);
    if (bit_depth == 8)
        add(prediction, static_cast<uint8_t *>(dst), stride_bytes, sums);
    else
        add(prediction, static_cast<uint16_t *>(dst), stride_bytes / 2, sums);
}

} // namespace v3doff::h264
