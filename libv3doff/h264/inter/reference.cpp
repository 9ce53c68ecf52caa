// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter/reference.hpp"

namespace v3doff::h264 {
namespace {

// The six taps of 8.4.2.2.1, of six samples in a row or in a column.
int six_taps(int e, int f, int g, int h, int i, int j) {
    return e - 5 * f + 20 * g + 20 * h - 5 * i + j;
}

// A plane of a reference. Outside of it stands the nearest sample.
template <typename Sample>
class SourcePlane {
  public:
    SourcePlane(const PictureView &reference, unsigned plane)
        : from_(reference.plane[plane]), last_x_(int(inter_width(reference.format, plane)) - 1),
          last_y_(int(inter_height(reference.format, plane)) - 1),
          most_((1 << reference.format.bit_depth) - 1) {}

    int clip(int value) const { return std::clamp(value, 0, most_); }
    int whole(int x, int y) const {
        x = std::clamp(x, 0, last_x_);
        y = std::clamp(y, 0, last_y_);
        return reinterpret_cast<const Sample *>(from_.data + ptrdiff_t(y) * from_.stride)[x];
    }

    // Half samples, named as in figure 8-4: b right of a whole sample, h below it, j amid four.
    int sum_across(int x, int y) const {
        return six_taps(whole(x - 2, y), whole(x - 1, y), whole(x, y), whole(x + 1, y),
                        whole(x + 2, y), whole(x + 3, y));
    }
    int b(int x, int y) const { return clip((sum_across(x, y) + 16) >> 5); }
    int h(int x, int y) const {
        const int sum = six_taps(whole(x, y - 2), whole(x, y - 1), whole(x, y), whole(x, y + 1),
                                 whole(x, y + 2), whole(x, y + 3));
        return clip((sum + 16) >> 5);
    }
    int j(int x, int y) const {
        const int sum = six_taps(sum_across(x, y - 2), sum_across(x, y - 1), sum_across(x, y),
                                 sum_across(x, y + 1), sum_across(x, y + 2), sum_across(x, y + 3));
        return clip((sum + 512) >> 10);
    }

    // 8.4.2.2.1; fractions in quarters. Quarter samples are means of the two nearest ones.
    int luma(int x, int y, int fraction_x, int fraction_y) const {
        const auto mean = [](int a, int b) { return (a + b + 1) >> 1; };
        const int right = x + fraction_x / 2, below = y + fraction_y / 2; // of fractions 1 and 3
        const bool odd_x = fraction_x & 1, odd_y = fraction_y & 1;
        if (odd_x && odd_y) return mean(b(x, below), h(right, y));
        if (!fraction_x && !fraction_y) return whole(x, y);
        if (!fraction_y) return odd_x ? mean(b(x, y), whole(right, y)) : b(x, y);
        if (!fraction_x) return odd_y ? mean(h(x, y), whole(x, below)) : h(x, y);
        if (odd_x) return mean(j(x, y), h(right, y));
        return odd_y ? mean(j(x, y), b(x, below)) : j(x, y);
    }

    // 8.4.2.2.2; fractions in eighths.
    int chroma(int x, int y, int fraction_x, int fraction_y) const {
        const int sum = (8 - fraction_x) * (8 - fraction_y) * whole(x, y) +
                        fraction_x * (8 - fraction_y) * whole(x + 1, y) +
                        (8 - fraction_x) * fraction_y * whole(x, y + 1) +
                        fraction_x * fraction_y * whole(x + 1, y + 1);
        return (sum + 32) >> 6;
    }

  private:
    const PlaneView &from_;
    int last_x_, last_y_, most_;
};

// What is predicted in one plane from one list.
template <typename Sample>
class PlanePrediction {
  public:
    PlanePrediction(const InterFrom &from, const InterInput &block, unsigned list, unsigned plane)
        : source_(*from.picture, plane),
          as_luma_(!plane || from.picture->format.chroma == V3DOFF_CHROMA_444) {
        const PictureView &reference = *from.picture;
        const int shift_x = int(reference.format.shift_x(plane)),
                  shift_y = int(reference.format.shift_y(plane));
        if (as_luma_) {
            start_x_ = block.x * 4 + block.vector[list][0];
            start_y_ = block.y * 4 + block.vector[list][1];
        } else { // in eighths of chroma's own samples
            start_x_ = (block.x >> shift_x) * 8 + block.vector[list][0] * (2 >> shift_x);
            start_y_ = (block.y >> shift_y) * 8 + block.vector[list][1] * (2 >> shift_y) +
                       from.chroma_down;
        }
    }
    int operator()(int x, int y) const {
        if (as_luma_)
            return source_.luma(x + (start_x_ >> 2), y + (start_y_ >> 2), start_x_ & 3,
                                start_y_ & 3);
        return source_.chroma(x + (start_x_ >> 3), y + (start_y_ >> 3), start_x_ & 7, start_y_ & 7);
    }

  private:
    SourcePlane<Sample> source_;
    bool as_luma_;
    int start_x_, start_y_;
};

template <typename Sample>
class BlockPlane {
  public:
    BlockPlane(const PictureView &picture, const InterInput &block, unsigned plane)
        : to_(picture.plane[plane]), most_((1 << picture.format.bit_depth) - 1),
          x_(block.x >> picture.format.shift_x(plane)),
          y_(block.y >> picture.format.shift_y(plane)),
          width_(block.width >> picture.format.shift_x(plane)),
          height_(block.height >> picture.format.shift_y(plane)) {}

    // Calls make(what stands there, column and row in the block).
    template <typename Make>
    void each(Make make) const {
        for (int y = 0; y < height_; y++) {
            Sample *row =
                reinterpret_cast<Sample *>(to_.data + ptrdiff_t(y_ + y) * to_.stride) + x_;
            for (int x = 0; x < width_; x++)
                row[x] = Sample(std::clamp(make(int(row[x]), x, y), 0, most_));
        }
    }

  private:
    const PlaneView &to_;
    int most_, x_, y_, width_, height_;
};

template <typename Sample>
void predict_plane(const PictureView &picture, const InterInput &block, const InterFrom (&from)[2],
                   const InterWeights *weights, unsigned plane) {
    const BlockPlane<Sample> to(picture, block, plane);
    InterCombination combination{};
    if (weights) combination = inter_combination(*weights, block, plane, picture.format.bit_depth);
    bool second = false;
    for (unsigned list = 0; list < 2; list++) {
        if (!from[list].picture) continue;
        const PlanePrediction<Sample> prediction(from[list], block, list, plane);
        const bool last = list == 1 || !block.bidirectional();
        if (!last || (!weights && !second))
            to.each([&](int, int x, int y) { return prediction(x, y); });
        else if (!weights)
            to.each([&](int a, int x, int y) { return (a + prediction(x, y) + 1) >> 1; });
        else
            to.each([&](int a, int x, int y) {
                const int sum = a * combination.first + prediction(x, y) * combination.second;
                return ((sum + combination.round) >> combination.shift) + combination.offset;
            });
        second = true;
    }
}

} // namespace

InterCombination inter_combination(const InterWeights &weights, const InterInput &block,
                                   unsigned plane, uint32_t bit_depth) {
    const int denominator = weights.denominator[plane != 0], scale = 1 << (bit_depth - 8);
    InterCombination result{};
    if (block.bidirectional()) {
        result.first = weights.weight[0][plane];
        result.second = weights.weight[1][plane];
        result.round = 1 << denominator;
        result.shift = denominator + 1;
        result.offset =
            (weights.offset[0][plane] * scale + weights.offset[1][plane] * scale + 1) >> 1;
        return result;
    }
    const unsigned list = block.reference[0] < 0;
    result.second = weights.weight[list][plane];
    result.round = denominator ? 1 << (denominator - 1) : 0;
    result.shift = denominator;
    result.offset = weights.offset[list][plane] * scale;
    return result;
}

void inter_predict_reference(const PictureView &picture, const InterInput &block,
                             const InterFrom (&from)[2], const InterWeights *weights) {
    for (unsigned plane = 0; plane < picture.format.planes(); plane++)
        if (picture.format.sample_bytes() == 1)
            predict_plane<uint8_t>(picture, block, from, weights, plane);
        else
            predict_plane<uint16_t>(picture, block, from, weights, plane);
}

} // namespace v3doff::h264
