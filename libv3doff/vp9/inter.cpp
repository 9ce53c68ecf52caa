// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/inter.hpp"

#include <algorithm>

#include "util/error.hpp"

namespace v3doff::vp9 {
namespace {

// Halves and quarters of sums are rounded away from zero.
int divide_rounded(int sum, int by) {
    return (sum >= 0 ? sum + by / 2 : sum - by / 2) / by;
}

MotionVector mean(const MotionVector &a, const MotionVector &b) {
    return {divide_rounded(a.x + b.x, 2), divide_rounded(a.y + b.y, 2)};
}

MotionVector mean(const std::array<MotionVector, 4> &v) {
    return {divide_rounded(v[0].x + v[1].x + v[2].x + v[3].x, 4),
            divide_rounded(v[0].y + v[1].y + v[2].y + v[3].y, 4)};
}

// FFmpeg clips the vector before it scales it, and scales position and vector each on its own, a
// subsampled position in two parts, because libvpx did.
int scaled_start(int vector, int at, int part, int block, int limit, bool subsampled, int scale) {
    const int unit = subsampled ? 16 : 8;
    const int clipped = std::clamp(vector, -(at + block - part + 4) * unit, (limit - at + part + 3) * unit);
    const auto scaled = [&](int value) { return int(int64_t(value) * scale >> 14); };
    if (subsampled)
        return scaled(clipped) + (scaled(at * 16) & ~15) + (scaled(at * 32) & 15);
    return scaled(clipped * 2) + scaled(at * 16);
}

} // namespace

InterScale inter_scale(const PictureFormat &picture, const PictureFormat &reference) {
    InterScale result;
    const uint32_t width = picture.width, height = picture.height;
    if (reference.width == width && reference.height == height) return result;
    if (width * 2 < reference.width || height * 2 < reference.height ||
        width > reference.width * 16 || height > reference.height * 16)
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT,
                    "info->reference: more than twice or less than a sixteenth as large");
    result.scaled = true;
    result.scale[0] = int((reference.width << 14) / width);
    result.scale[1] = int((reference.height << 14) / height);
    for (int i = 0; i < 2; i++)
        result.step[i] = uint8_t(16 * result.scale[i] >> 14);
    return result;
}

InterPredictor::InterPredictor(const PictureFormat &picture, const PictureFormat &reference)
    : scale_(inter_scale(picture, reference)), planes_(picture.planes()),
      limit_x_(int(picture.width + 7) / 8 * 8), limit_y_(int(picture.height + 7) / 8 * 8) {
    for (unsigned p = 0; p < planes_; p++) {
        shift_x_[p] = uint8_t(picture.shift_x(p));
        shift_y_[p] = uint8_t(picture.shift_y(p));
        width_[p] = reference.plane_width(p);
        height_[p] = reference.plane_height(p);
    }
}

// 8.5.2.3, motion vector scaling process.
void InterPredictor::start(const Piece &piece, const MotionVector &vector, McInput &input) const {
    const unsigned p = piece.plane;
    int start_x, start_y;
    if (scale_.scaled) {
        start_x = scaled_start(vector.x, piece.x, piece.part_x, piece.block_width,
                               limit_x_ >> shift_x_[p], shift_x_[p], scale_.scale[0]);
        start_y = scaled_start(vector.y, piece.y, piece.part_y, piece.block_height,
                               limit_y_ >> shift_y_[p], shift_y_[p], scale_.scale[1]);
        input.step_x = scale_.step[0], input.step_y = scale_.step[1];
    } else {
        start_x = piece.x * 16 + vector.x * (2 >> shift_x_[p]);
        start_y = piece.y * 16 + vector.y * (2 >> shift_y_[p]);
        input.step_x = input.step_y = mc_unscaled;
    }
    input.ref_x = mc_near(start_x >> 4, width_[p]);
    input.ref_y = mc_near(start_y >> 4, height_[p]);
    input.mx = uint8_t(start_x & 15), input.my = uint8_t(start_y & 15);
}

void InterPredictor::predict_piece(const InterBlock &block, const Piece &piece,
                                   const MotionVector &vector, std::vector<McInput> &to) const {
    McInput &input = to.emplace_back();
    input.plane = piece.plane;
    input.x = uint32_t(piece.x), input.y = uint32_t(piece.y);
    input.width = uint8_t(piece.width), input.height = uint8_t(piece.height);
    input.filter = block.filter;
    input.average = block.average;
    input.reference = block.reference;
    start(piece, vector, input);
}

void InterPredictor::predict_quarters(const InterBlock &block, unsigned plane,
                                      std::vector<McInput> &to) const {
    const auto &v = block.vector;
    const int shift_x = shift_x_[plane], shift_y = shift_y_[plane];
    const auto quarter = [&](int part_x, int part_y, const MotionVector &vector) {
        predict_piece(block,
                      {plane, (int(block.col * 8) >> shift_x) + part_x,
                       (int(block.row * 8) >> shift_y) + part_y, 4, 4, part_x, part_y, 8 >> shift_x,
                       8 >> shift_y},
                      vector, to);
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

void InterPredictor::predict(const InterBlock &block, std::vector<McInput> &to) const {
    for (unsigned p = 0; p < planes_; p++) {
        if (p == 2 && !block.quarters) { // as the other chroma plane
            to.push_back(to.back());
            to.back().plane = 2;
        } else if (block.quarters) {
            predict_quarters(block, p, to);
        } else {
            const int width = int(block.columns * 8) >> shift_x_[p];
            const int height = int(block.rows * 8) >> shift_y_[p];
            predict_piece(block,
                          {p, int(block.col * 8) >> shift_x_[p], int(block.row * 8) >> shift_y_[p],
                           width, height, 0, 0, width, height},
                          block.vector[0], to);
        }
    }
}

} // namespace v3doff::vp9
