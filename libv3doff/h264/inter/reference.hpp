// SPDX-License-Identifier: BSD-2-Clause
// H.264 inter prediction of a rectangle (ITU-T H.264 8.4.2.2 and 8.4.2.3) in plain loops: what the
// shaders are held against, and what is done where they cannot run.
#pragma once

#include <algorithm>
#include <cstdint>

#include "picture/stage.hpp"

namespace v3doff::h264 {

// How two predictions become one (8.4.2.3), by plane. Entry 0 of a picture's table stands for the
// default (8.4.2.3.1), whatever it holds. Implicit weights are a denominator of 5 and no offset.
struct InterWeights {
    uint8_t denominator[2]; // log2, of luma and chroma, up to 7
    int16_t weight[2][3];   // [list][plane], -128 to 128
    int16_t offset[2][3];   // as in the slice header; the stage scales it to the bit depth
};

// One rectangle, predicted from one or two references. Chroma's follows from it.
struct InterInput {
    uint16_t x, y;         // luma samples of the picture
    uint8_t width, height; // luma samples: 4, 8 or 16
    int8_t reference[2];   // number among the stage's sources; -1: the list is not used
    uint16_t weights;      // index in the picture's table; 0: default
    int16_t vector[2][2];  // [list]; quarter luma samples, x before y
    // A field macroblock in an MBAFF frame: y counts the lines of its field, which has this parity.
    // The fields that predict it have parities of their own.
    bool field = false;
    uint8_t parity = 0, reference_parity[2] = {};

    bool bidirectional() const { return reference[0] >= 0 && reference[1] >= 0; }
};

// What becomes of a prediction p and of the one that was made before it, a, in one plane:
// ((a * first + p * second + round) >> shift) + offset, clipped (8.4.2.3.2). Of a prediction from
// one list `first` is 0.
struct InterCombination {
    int first, second, round, shift, offset;
};
InterCombination inter_combination(const InterWeights &weights, const InterInput &block,
                                   unsigned plane, uint32_t bit_depth);

// Where the samples of a plane end for prediction: whole macroblocks, of which the edge repeats.
inline uint32_t inter_width(const PictureFormat &format, unsigned plane) {
    return (format.width + 15) / 16 * 16 >> format.shift_x(plane);
}
inline uint32_t inter_height(const PictureFormat &format, unsigned plane) {
    return (format.height + 15) / 16 * 16 >> format.shift_y(plane);
}

// What a list predicts from; null: the list is not used. chroma_down: eighths of a sample that the
// vector of 4:2:0's chroma has added to it, where the reference is a field of the other parity
// (8.4.1.4).
struct InterFrom {
    const PictureView *picture = nullptr;
    int chroma_down = 0;
};
inline int chroma_down(const PictureFormat &format, unsigned parity, unsigned of_reference) {
    return format.chroma == V3DOFF_CHROMA_420 ? 2 * (int(parity) - int(of_reference)) : 0;
}

// Predicts all planes of the rectangle. weights null: default.
void inter_predict_reference(const PictureView &picture, const InterInput &block,
                             const InterFrom (&from)[2], const InterWeights *weights);

} // namespace v3doff::h264
