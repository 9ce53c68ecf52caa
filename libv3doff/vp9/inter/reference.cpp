// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/inter/reference.hpp"

#include <algorithm>

namespace v3doff::vp9 {
namespace {

constexpr int16_t filters[inter_filters][inter_fractions][inter_taps] = {
    // clang-format off
    { // smooth
        { 0,  0,  0, 128,   0,   0,  0,  0}, {-3, -1, 32,  64,  38,   1, -3,  0},
        {-2, -2, 29,  63,  41,   2, -3,  0}, {-2, -2, 26,  63,  43,   4, -4,  0},
        {-2, -3, 24,  62,  46,   5, -4,  0}, {-2, -3, 21,  60,  49,   7, -4,  0},
        {-1, -4, 18,  59,  51,   9, -4,  0}, {-1, -4, 16,  57,  53,  12, -4, -1},
        {-1, -4, 14,  55,  55,  14, -4, -1}, {-1, -4, 12,  53,  57,  16, -4, -1},
        { 0, -4,  9,  51,  59,  18, -4, -1}, { 0, -4,  7,  49,  60,  21, -3, -2},
        { 0, -4,  5,  46,  62,  24, -3, -2}, { 0, -4,  4,  43,  63,  26, -2, -2},
        { 0, -3,  2,  41,  63,  29, -2, -2}, { 0, -3,  1,  38,  64,  32, -1, -3},
    },
    { // regular
        { 0,  0,   0, 128,   0,   0,  0,  0}, { 0,  1,  -5, 126,   8,  -3,  1,  0},
        {-1,  3, -10, 122,  18,  -6,  2,  0}, {-1,  4, -13, 118,  27,  -9,  3, -1},
        {-1,  4, -16, 112,  37, -11,  4, -1}, {-1,  5, -18, 105,  48, -14,  4, -1},
        {-1,  5, -19,  97,  58, -16,  5, -1}, {-1,  6, -19,  88,  68, -18,  5, -1},
        {-1,  6, -19,  78,  78, -19,  6, -1}, {-1,  5, -18,  68,  88, -19,  6, -1},
        {-1,  5, -16,  58,  97, -19,  5, -1}, {-1,  4, -14,  48, 105, -18,  5, -1},
        {-1,  4, -11,  37, 112, -16,  4, -1}, {-1,  3,  -9,  27, 118, -13,  4, -1},
        { 0,  2,  -6,  18, 122, -10,  3, -1}, { 0,  1,  -3,   8, 126,  -5,  1,  0},
    },
    { // sharp
        { 0,  0,   0, 128,   0,   0,  0,  0}, {-1,  3,  -7, 127,   8,  -3,  1,  0},
        {-2,  5, -13, 125,  17,  -6,  3, -1}, {-3,  7, -17, 121,  27, -10,  5, -2},
        {-4,  9, -20, 115,  37, -13,  6, -2}, {-4, 10, -23, 108,  48, -16,  8, -3},
        {-4, 10, -24, 100,  59, -19,  9, -3}, {-4, 11, -24,  90,  70, -21, 10, -4},
        {-4, 11, -23,  80,  80, -23, 11, -4}, {-4, 10, -21,  70,  90, -24, 11, -4},
        {-3,  9, -19,  59, 100, -24, 10, -4}, {-3,  8, -16,  48, 108, -23, 10, -4},
        {-2,  6, -13,  37, 115, -20,  9, -4}, {-2,  5, -10,  27, 121, -17,  7, -3},
        {-1,  3,  -6,  17, 125, -13,  5, -2}, { 0,  1,  -3,   8, 127,  -7,  3, -1},
    },
    { // bilinear
        {0, 0, 0, 128,  0, 0, 0, 0}, {0, 0, 0, 120,   8, 0, 0, 0}, {0, 0, 0, 112,  16, 0, 0, 0},
        {0, 0, 0, 104, 24, 0, 0, 0}, {0, 0, 0,  96,  32, 0, 0, 0}, {0, 0, 0,  88,  40, 0, 0, 0},
        {0, 0, 0,  80, 48, 0, 0, 0}, {0, 0, 0,  72,  56, 0, 0, 0}, {0, 0, 0,  64,  64, 0, 0, 0},
        {0, 0, 0,  56, 72, 0, 0, 0}, {0, 0, 0,  48,  80, 0, 0, 0}, {0, 0, 0,  40,  88, 0, 0, 0},
        {0, 0, 0,  32, 96, 0, 0, 0}, {0, 0, 0,  24, 104, 0, 0, 0}, {0, 0, 0,  16, 112, 0, 0, 0},
        {0, 0, 0,   8, 120, 0, 0, 0},
    },
    // clang-format on
};

// Rows of a block of 64 at a step of two samples, with those the filter reaches.
constexpr int most_rows_across = 64 * 2 + inter_taps;

template <typename Sample>
struct Predictor {
    const PictureView &picture;
    const PlaneView &from;
    const InterInput &block;
    uint16_t across[most_rows_across][64];

    int clip(int sum) const {
        return std::clamp((sum + 64) >> 7, 0, (1 << picture.format.bit_depth) - 1);
    }

    // Outside the reference stands the nearest sample.
    int sample(int x, int y) const {
        x = std::clamp(x, 0, int(from.width) - 1);
        y = std::clamp(y, 0, int(from.height) - 1);
        return reinterpret_cast<const Sample *>(from.data + ptrdiff_t(y) * from.stride)[x];
    }

    void filter_across() {
        const int rows = ((block.height - 1) * block.step_y + block.my) / 16 + inter_taps;
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < block.width; x++) {
                const int at = block.mx + x * block.step_x;
                const auto &taps = inter_filter(block.filter, unsigned(at & 15));
                int sum = 0;
                for (int k = 0; k < inter_taps; k++)
                    sum += taps[k] * sample(block.ref_x + (at >> 4) + k - 3, block.ref_y + y - 3);
                across[y][x] = uint16_t(clip(sum));
            }
    }

    void filter_down() {
        const PlaneView &to = picture.plane[block.plane];
        for (int y = 0; y < block.height; y++) {
            const int at = block.my + y * block.step_y;
            const auto &taps = inter_filter(block.filter, unsigned(at & 15));
            Sample *row =
                reinterpret_cast<Sample *>(to.data + ptrdiff_t(block.y + unsigned(y)) * to.stride) +
                block.x;
            for (int x = 0; x < block.width; x++) {
                int sum = 0;
                for (int k = 0; k < inter_taps; k++)
                    sum += taps[k] * across[(at >> 4) + k][x];
                row[x] = Sample(block.average ? (row[x] + clip(sum) + 1) >> 1 : clip(sum));
            }
        }
    }
};

template <typename Sample>
void predict(const PictureView &picture, const InterInput &block, const PictureView &reference) {
    Predictor<Sample> predictor{picture, reference.plane[block.plane], block, {}};
    predictor.filter_across();
    predictor.filter_down();
}

} // namespace

const int16_t (&inter_filter(unsigned filter, unsigned fraction))[inter_taps] {
    return filters[filter][fraction];
}

void inter_predict_reference(const PictureView &picture, const InterInput &block,
                             const PictureView &reference) {
    if (picture.format.sample_bytes() == 1)
        predict<uint8_t>(picture, block, reference);
    else
        predict<uint16_t>(picture, block, reference);
}

} // namespace v3doff::vp9
