// SPDX-License-Identifier: BSD-2-Clause
#include "generators/h264_filter.hpp"

#include <algorithm>
#include <cstring>

namespace v3doff::check {
namespace {

void fill_strengths(H264Random &random, v3doff_h264_deblock_mb &mb, H264Strengths kind) {
    std::memset(mb.strength, 0, sizeof mb.strength);
    if (kind == H264Strengths::none) return;
    const bool quiet = kind == H264Strengths::mixed && random.one_in(4);
    for (auto &direction : mb.strength)
        for (unsigned edge = 0; edge < 4; edge++) {
            const bool strong = edge == 0 && random.one_in(3);
            for (unsigned segment = 0; segment < 4; segment++) {
                uint8_t &strength = direction[edge][segment];
                if (strong)
                    strength = 4;
                else if (kind == H264Strengths::all)
                    strength = uint8_t(random.between(1, 3));
                else
                    strength = quiet && !random.one_in(8) ? 0 : uint8_t(random.below(4));
            }
        }
}

struct Slice {
    int qp, spread, offset_a, offset_b;
};

Slice any_slice(H264Random &random, int lowest) {
    Slice slice;
    slice.qp = random.one_in(3) ? random.between(lowest, 51) : random.between(25, 51);
    slice.spread = random.below(2) ? 0 : random.between(1, 12);
    slice.offset_a = random.below(2) ? 0 : random.between(-6, 6) * 2;
    slice.offset_b = random.below(2) ? 0 : random.between(-6, 6) * 2;
    return slice;
}

void fill_mb(H264Random &random, v3doff_h264_deblock_mb &mb, const Slice &slice, int lowest) {
    for (int8_t &qp : mb.qp) {
        const int moved = slice.qp + random.between(-slice.spread, slice.spread);
        qp = int8_t(std::clamp(moved, lowest, 51));
    }
    mb.offset_a = int8_t(slice.offset_a);
    mb.offset_b = int8_t(slice.offset_b);
    mb.flags = random.one_in(40) ? 0 : V3DOFF_H264_DEBLOCK;
    if (!random.one_in(20)) mb.flags |= V3DOFF_H264_DEBLOCK_LEFT;
    if (!random.one_in(20)) mb.flags |= V3DOFF_H264_DEBLOCK_TOP;
    if (random.one_in(3)) mb.flags |= V3DOFF_H264_TRANSFORM_8X8;
}

// Samples across an edge, p3 to q3, whose differences lie on the borders of the conditions
// of 8.7.2.2 to 8.7.2.4: at alpha, at (alpha >> 2) + 2, at beta, and just below these.
class BorderLine {
  public:
    BorderLine(H264Random &random, int scale, int largest) : random_(random), largest_(largest) {
        const h264::FilterLimits limits = h264::filter_limits(random.between(16, 51));
        alpha_ = limits.alpha * scale;
        beta_ = limits.beta * scale;
    }
    void fill(int line[8]) {
        const int steps[] = {alpha_, alpha_, (alpha_ >> 2) + 2, (alpha_ >> 2) + 2, 0};
        line[4] = random_.between(0, largest_);
        line[3] = off(line[4], steps[random_.below(5)]);
        for (int side : {-1, 1}) {
            int *const zero = side < 0 ? line + 3 : line + 4;
            zero[side] = off(*zero, beta_);
            zero[side * 2] = off(*zero, beta_);
            zero[side * 3] = off(zero[side * 2], random_.between(0, beta_));
        }
    }

  private:
    // Mostly within the limit; otherwise no line would be filtered.
    int off(int from, int limit) {
        const uint32_t kind = random_.below(8);
        int step = kind == 0 ? limit : kind < 4 ? limit - 1 : random_.between(0, limit);
        if (random_.below(2)) step = -step;
        return std::clamp(from + step, 0, largest_);
    }
    H264Random &random_;
    int largest_, alpha_, beta_;
};

class Texture {
  public:
    Texture(H264Random &random, int largest)
        : random_(random), largest_(largest), common_(random.between(0, largest)) {}

    // One block of 8x8 samples: border lines in one direction, noise of a small amplitude round a
    // level, steps at multiples of 4, both ends of the range, anything.
    void choose(int block[8][8]) {
        const uint32_t kind = random_.below(10);
        if (kind < 4) return border(block, kind & 1);
        const int scale = (largest_ + 1) / 256, amplitude = random_.between(0, 12 * scale);
        int level = random_.one_in(3) ? random_.between(0, largest_) : common_;
        if (random_.one_in(4)) level = random_.below(2) ? largest_ : 0;
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++) {
                int value = level + random_.between(-amplitude, amplitude);
                if (kind == 4) value = random_.between(0, largest_);
                if (kind == 5) value += (x / 4 + y / 4) % 3 * amplitude;
                if (kind == 6 && random_.one_in(16))
                    value += random_.between(-largest_ / 8, largest_ / 8);
                block[y][x] = std::clamp(value, 0, largest_);
            }
    }

  private:
    void border(int block[8][8], bool transposed) {
        BorderLine lines(random_, (largest_ + 1) / 256, largest_);
        for (int i = 0; i < 8; i++) {
            int line[8];
            lines.fill(line);
            for (int k = 0; k < 8; k++)
                (transposed ? block[k][i] : block[i][k]) = line[k];
        }
    }
    H264Random &random_;
    int largest_, common_;
};

template <typename Sample>
void fill_plane(H264Random &random, const PlaneView &plane, int largest) {
    Texture texture(random, largest);
    // Blocks lie across every edge in turn.
    const int first_x = -4 * int(random.below(2)), first_y = -4 * int(random.below(2));
    const int width = int(plane.padded_width), height = int(plane.padded_height);
    for (int by = first_y; by < height; by += 8)
        for (int bx = first_x; bx < width; bx += 8) {
            int block[8][8];
            texture.choose(block);
            for (int y = std::max(by, 0); y < std::min(by + 8, height); y++)
                for (int x = std::max(bx, 0); x < std::min(bx + 8, width); x++)
                    reinterpret_cast<Sample *>(plane.data + ptrdiff_t(y) * plane.stride)[x] =
                        Sample(block[y - by][x - bx]);
        }
}

void fill_left(H264Random &random, uint8_t left[8], bool by_parity, H264Strengths kind) {
    const bool strong[2] = {random.one_in(3), random.one_in(3)};
    for (unsigned i = 0; i < 8; i++) {
        const unsigned to = by_parity ? i & 1 : i >> 2;
        left[i] = uint8_t(strong[to] ? 4 : random.between(kind == H264Strengths::all ? 1 : 0, 3));
    }
}

} // namespace

uint64_t H264Random::next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

std::vector<v3doff_h264_deblock_mb> make_filter_mbs(H264Random &random, unsigned bit_depth,
                                                    size_t count, H264Strengths strengths) {
    std::vector<v3doff_h264_deblock_mb> made(count);
    const int lowest = -6 * (int(bit_depth) - 8);
    Slice slice = any_slice(random, lowest);
    for (v3doff_h264_deblock_mb &mb : made) {
        if (random.one_in(30)) slice = any_slice(random, lowest);
        fill_mb(random, mb, slice, lowest);
        if (strengths == H264Strengths::all) {
            mb.flags = V3DOFF_H264_DEBLOCK | V3DOFF_H264_DEBLOCK_LEFT | V3DOFF_H264_DEBLOCK_TOP;
        }
        fill_strengths(random, mb, strengths);
    }
    return made;
}

std::vector<v3doff_h264_deblock_mbaff_mb> make_mbaff_mbs(H264Random &random, unsigned bit_depth,
                                                         uint32_t mb_width, uint32_t pair_height,
                                                         H264Strengths strengths) {
    const size_t count = size_t(mb_width) * pair_height * 2;
    const auto plain = make_filter_mbs(random, bit_depth, count, strengths);
    std::vector<v3doff_h264_deblock_mbaff_mb> made(count);
    bool field = random.below(2);
    for (size_t i = 0; i < count; i++) {
        const size_t y = i / mb_width;
        if (y % 2 == 0 && random.one_in(3)) field = !field;
        v3doff_h264_deblock_mbaff_mb &mb = made[i];
        mb.mb = plain[i];
        if (y % 2 ? made[i - mb_width].mb.flags & V3DOFF_H264_FIELD_MB : field)
            mb.mb.flags |= V3DOFF_H264_FIELD_MB;
        const bool is_field = mb.mb.flags & V3DOFF_H264_FIELD_MB;
        fill_left(random, mb.left, !is_field, strengths);
        for (uint8_t &strength : mb.mb.strength[h264::horizontal_edges][0])
            if (is_field && strength == 4) strength = 3;
        for (auto &top : mb.top)
            for (uint8_t &strength : top)
                strength = uint8_t(random.between(strengths == H264Strengths::all ? 1 : 0, 3));
    }
    return made;
}

void fill_filter_samples(H264Random &random, const PlaneView &plane, unsigned bit_depth) {
    const int largest = (1 << bit_depth) - 1;
    if (bit_depth > 8)
        fill_plane<uint16_t>(random, plane, largest);
    else
        fill_plane<uint8_t>(random, plane, largest);
}

} // namespace v3doff::check
