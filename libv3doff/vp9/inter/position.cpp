// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/inter/position.hpp"

#include <algorithm>
#include <cstring>

#include "records/vp9_place.h"
#include "util/error.hpp"

namespace v3doff::vp9 {
namespace {

// Halves and quarters of sums are rounded away from zero.
int divide_rounded(int sum, int by) {
    return (sum >= 0 ? sum + by / 2 : sum - by / 2) / by;
}

MotionVector mean(const MotionVector &a, const MotionVector &b) {
    return {int16_t(divide_rounded(a.x + b.x, 2)), int16_t(divide_rounded(a.y + b.y, 2))};
}

MotionVector mean(const std::array<MotionVector, 4> &v) {
    return {int16_t(divide_rounded(v[0].x + v[1].x + v[2].x + v[3].x, 4)),
            int16_t(divide_rounded(v[0].y + v[1].y + v[2].y + v[3].y, 4))};
}

// As libvpx does, FFmpeg clips the vector before it scales it, and scales position and vector
// separately, a subsampled position in two parts.
int scaled_start(int vector, int at, int part, int block, int limit, bool subsampled, int scale) {
    const int unit = subsampled ? 16 : 8;
    const int clipped =
        std::clamp(vector, -(at + block - part + 4) * unit, (limit - at + part + 3) * unit);
    const auto scaled = [&](int value) { return int(int64_t(value) * scale >> 14); };
    if (subsampled) return scaled(clipped) + (scaled(at * 16) & ~15) + (scaled(at * 32) & 15);
    return scaled(clipped * 2) + scaled(at * 16);
}

} // namespace

InterBlock inter_block(const uint32_t *words, unsigned which) {
    InterBlock block;
    const unsigned references = 1 + unpack(words[0], BLOCK_FLAG);
    block.row = unpack(words[0], BLOCK_ROW), block.col = unpack(words[0], BLOCK_COL);
    block.size = unpack(words[0], BLOCK_SIZE);
    block.reference = block_reference(words[2], which);
    block.filter = unpack(words[2], BLOCK_FILTER);
    block.average = which;
    for (unsigned v = 0; v < (block.quarters() ? 4 : 1); v++)
        std::memcpy(&block.vector[v], &words[3 + v * references + which], sizeof block.vector[v]);
    return block;
}

InterPredictor::InterPredictor(const PictureFormat &picture, const PictureFormat &reference)
    : has_chroma_(picture.planes() > 1), shift_x_(picture.shift_x(1)), shift_y_(picture.shift_y(1)),
      limit_x_(int(picture.width + 7) / 8 * 8), limit_y_(int(picture.height + 7) / 8 * 8) {
    const uint32_t width = picture.width, height = picture.height;
    if (reference.width == width && reference.height == height) return;
    if (width * 2 < reference.width || height * 2 < reference.height ||
        width > reference.width * 16 || height > reference.height * 16)
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT,
                    "info->reference: more than twice or less than a sixteenth as large");
    scale_[0] = int((reference.width << 14) / width);
    scale_[1] = int((reference.height << 14) / height);
    for (int i = 0; i < 2; i++)
        step_[i] = uint8_t(16 * scale_[i] >> 14);
}

// 8.5.2.3, motion vector scaling process.
InterInput InterPredictor::predict(const InterBlock &block, const Piece &piece,
                                   const MotionVector &vector) const {
    const unsigned shift_x = piece.plane ? shift_x_ : 0, shift_y = piece.plane ? shift_y_ : 0;
    InterInput input{};
    int start_x, start_y;
    if (scale_[0]) {
        start_x = scaled_start(vector.x, piece.x, piece.part_x, piece.block_width,
                               limit_x_ >> shift_x, shift_x, scale_[0]);
        start_y = scaled_start(vector.y, piece.y, piece.part_y, piece.block_height,
                               limit_y_ >> shift_y, shift_y, scale_[1]);
        input.step_x = step_[0], input.step_y = step_[1];
    } else {
        start_x = piece.x * 16 + vector.x * (2 >> shift_x);
        start_y = piece.y * 16 + vector.y * (2 >> shift_y);
        input.step_x = input.step_y = inter_unscaled;
    }
    input.ref_x = start_x >> 4, input.ref_y = start_y >> 4;
    input.mx = uint8_t(start_x & 15), input.my = uint8_t(start_y & 15);
    input.plane = piece.plane;
    input.x = uint32_t(piece.x), input.y = uint32_t(piece.y);
    input.width = uint8_t(piece.width), input.height = uint8_t(piece.height);
    input.filter = block.filter;
    input.average = block.average;
    input.reference = block.reference;
    return input;
}

void InterPredictor::add_quarters(const InterBlock &block, unsigned plane, Pieces &to) const {
    const auto &v = block.vector;
    const int shift_x = plane ? int(shift_x_) : 0, shift_y = plane ? int(shift_y_) : 0;
    const auto quarter = [&](int part_x, int part_y, const MotionVector &vector) {
        to.add(predict(block,
                       {plane, (int(block.col * 8) >> shift_x) + part_x,
                        (int(block.row * 8) >> shift_y) + part_y, 4, 4, part_x, part_y,
                        8 >> shift_x, 8 >> shift_y},
                       vector));
    };
    if (shift_x && shift_y) {
        quarter(0, 0, mean(v));
    } else if (shift_x) {
        quarter(0, 0, mean(v[0], v[1]));
        quarter(0, 4, mean(v[1], v[2])); // libvpx takes the wrong one of the lower pair
    } else if (shift_y) {
        quarter(0, 0, mean(v[0], v[2]));
        quarter(4, 0, mean(v[1], v[3]));
    } else {
        for (int i = 0; i < 4; i++)
            quarter(i % 2 * 4, i / 2 * 4, v[size_t(i)]);
    }
}

InterPredictor::Pieces InterPredictor::pieces(const InterBlock &block) const {
    Pieces result;
    for (unsigned plane = 0; plane <= unsigned(has_chroma_); plane++) {
        if (block.quarters()) {
            add_quarters(block, plane, result);
            continue;
        }
        const unsigned shift_x = plane ? shift_x_ : 0, shift_y = plane ? shift_y_ : 0;
        const BlockSize size = block_sizes[block.size];
        const int width = 1 << size.width_log2 >> shift_x,
                  height = 1 << size.height_log2 >> shift_y;
        result.add(predict(block,
                           {plane, block.col * 8 >> shift_x, block.row * 8 >> shift_y, width,
                            height, 0, 0, width, height},
                           block.vector[0]));
    }
    return result;
}

} // namespace v3doff::vp9
