// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/inter.hpp"

#include <algorithm>

#include "util/error.hpp"
#include "vp9/mc.hpp"

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

// A rectangle of one plane with one vector. In samples; (part_x, part_y) is where it lies in its
// block, (block_width, block_height) that block.
struct Piece {
    unsigned plane;
    int x, y, width, height;
    int part_x, part_y, block_width, block_height;
};

// Where the first sample comes from, in 1/16 sample, along one axis.
struct Axis {
    int position, start; // of the piece in the picture; of its first sample in the reference
};

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

struct Predicting {
    const InterBlock &block;
    const PictureFormat &format;
    const InterScale &scale;
    Mc &to;

    void piece(const Piece &piece, const MotionVector &vector) const {
        const int shift_x = int(format.shift_x(piece.plane)), shift_y = int(format.shift_y(piece.plane));
        McInput input{};
        int start_x, start_y;
        if (scale.scaled) {
            const int cols = int(format.width + 7) / 8 * 8, rows = int(format.height + 7) / 8 * 8;
            start_x = scaled_start(vector.x, piece.x, piece.part_x, piece.block_width,
                                   cols >> shift_x, shift_x, scale.scale[0]);
            start_y = scaled_start(vector.y, piece.y, piece.part_y, piece.block_height,
                                   rows >> shift_y, shift_y, scale.scale[1]);
            input.step_x = scale.step[0], input.step_y = scale.step[1];
        } else {
            start_x = piece.x * 16 + vector.x * (2 >> shift_x);
            start_y = piece.y * 16 + vector.y * (2 >> shift_y);
            input.step_x = input.step_y = mc_unscaled;
        }
        input.plane = piece.plane;
        input.x = uint32_t(piece.x), input.y = uint32_t(piece.y);
        input.ref_x = start_x >> 4, input.ref_y = start_y >> 4;
        input.mx = uint8_t(start_x & 15), input.my = uint8_t(start_y & 15);
        input.width = uint8_t(piece.width), input.height = uint8_t(piece.height);
        input.filter = block.filter;
        input.average = block.average;
        input.reference = block.reference;
        to.append(input);
    }

    void whole(unsigned plane) const {
        const int shift_x = int(format.shift_x(plane)), shift_y = int(format.shift_y(plane));
        const int width = int(block.columns * 8) >> shift_x, height = int(block.rows * 8) >> shift_y;
        piece({plane, int(block.col * 8) >> shift_x, int(block.row * 8) >> shift_y, width, height, 0,
               0, width, height},
              block.vector[0]);
    }

    // One of four 4x4 luma blocks, or what of a chroma plane lies under the block.
    void quarter(unsigned plane, int part_x, int part_y, const MotionVector &vector) const {
        const int shift_x = int(format.shift_x(plane)), shift_y = int(format.shift_y(plane));
        piece({plane, (int(block.col * 8) >> shift_x) + part_x, (int(block.row * 8) >> shift_y) + part_y,
               4, 4, part_x, part_y, 8 >> shift_x, 8 >> shift_y},
              vector);
    }

    void quarters(unsigned plane) const {
        const auto &v = block.vector;
        const bool half_x = format.shift_x(plane), half_y = format.shift_y(plane);
        if (half_x && half_y) {
            quarter(plane, 0, 0, mean(v));
        } else if (half_x) {
            quarter(plane, 0, 0, mean(v[0], v[1]));
            quarter(plane, 0, 4, mean(v[1], v[2])); // libvpx takes the wrong one of the lower pair
        } else if (half_y) {
            quarter(plane, 0, 0, mean(v[0], v[2]));
            quarter(plane, 4, 0, mean(v[1], v[3]));
        } else {
            for (int i = 0; i < 4; i++)
                quarter(plane, i % 2 * 4, i / 2 * 4, v[size_t(i)]);
        }
    }
};

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

void predict_block(const InterBlock &block, const PictureFormat &format, const InterScale &scale,
                   Mc &to) {
    const Predicting predicting{block, format, scale, to};
    for (unsigned plane = 0; plane < format.planes(); plane++)
        block.quarters ? predicting.quarters(plane) : predicting.whole(plane);
}

} // namespace v3doff::vp9
