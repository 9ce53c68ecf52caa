// SPDX-License-Identifier: BSD-2-Clause
#include "h264_deblock_gen.hpp"

#include <algorithm>
#include <cstring>

namespace v3doff::check {
namespace {

constexpr size_t guard = 256;

void fill_strengths(H264Random &random, h264::DeblockInput &mb, H264Strengths kind) {
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

void fill_mb(H264Random &random, h264::DeblockInput &mb, const Slice &slice, int lowest) {
    for (int8_t &qp : mb.qp) {
        const int moved = slice.qp + random.between(-slice.spread, slice.spread);
        qp = int8_t(std::clamp(moved, lowest, 51));
    }
    mb.offset_a = int8_t(slice.offset_a);
    mb.offset_b = int8_t(slice.offset_b);
    mb.filter = !random.one_in(40);
    mb.filter_left = !random.one_in(20);
    mb.filter_top = !random.one_in(20);
    mb.transform_8x8 = random.one_in(3);
}

template <typename Sample> struct Texture {
    H264Random &random;
    int largest, level = 0, amplitude = 0, kind = 0;

    void choose() {
        const int scale = (largest + 1) / 256;
        kind = random.one_in(12) ? 3 : int(random.below(3));
        amplitude = random.between(0, 12 * scale);
        level = random.between(0, largest);
        if (random.one_in(4)) level = random.below(2) ? largest : 0;
    }
    Sample at(unsigned x, unsigned y) {
        if (kind == 3) return Sample(random.between(0, largest));
        int value = level + random.between(-amplitude, amplitude);
        if (kind == 1) value += int((x / 4 + y / 4) % 3) * amplitude;
        if (kind == 2 && random.one_in(16)) value += random.between(-largest / 8, largest / 8);
        return Sample(std::clamp(value, 0, largest));
    }
};

template <typename Sample>
void fill_plane(H264Random &random, const PlaneView &plane, int largest) {
    Texture<Sample> texture{random, largest};
    const int common = random.between(0, largest);
    for (unsigned by = 0; by < plane.padded_height; by += 8)
        for (unsigned bx = 0; bx < plane.padded_width; bx += 8) {
            texture.choose();
            if (!random.one_in(3)) texture.level = common; // edges that are not too steep
            for (unsigned y = by; y < by + 8; y++)
                for (unsigned x = bx; x < bx + 8; x++)
                    reinterpret_cast<Sample *>(plane.data + ptrdiff_t(y) * plane.stride)[x] =
                        texture.at(x, y);
        }
}

} // namespace

uint64_t H264Random::next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

H264Planes::H264Planes(const PictureFormat &format, uint32_t mb_width, uint32_t mb_height)
    : format_(format) {
    format_.width = mb_width * 16;
    format_.height = mb_height * 16;
    size_t size = guard;
    for (unsigned p = 0; p < format_.planes(); p++) {
        offset_[p] = size;
        stride_[p] = (format_.plane_width(p) * format_.sample_bytes() + 31) / 16 * 16;
        size += stride_[p] * format_.plane_height(p) + guard;
    }
    bytes_.assign(size, std::byte(0xa5));
}

PictureView H264Planes::view() {
    PictureView view;
    view.format = format_;
    for (unsigned p = 0; p < format_.planes(); p++) {
        PlaneView &plane = view.plane[p];
        plane.data = bytes_.data() + offset_[p];
        plane.stride = ptrdiff_t(stride_[p]);
        plane.width = plane.padded_width = format_.plane_width(p);
        plane.height = plane.padded_height = format_.plane_height(p);
    }
    return view;
}

PictureView H264Planes::field(unsigned parity) {
    PictureView field = view();
    field.format.height /= 2;
    for (unsigned p = 0; p < format_.planes(); p++) {
        PlaneView &plane = field.plane[p];
        plane.data += ptrdiff_t(parity) * plane.stride;
        plane.stride *= 2;
        plane.height /= 2;
        plane.padded_height /= 2;
    }
    return field;
}

H264DeblockCase make_deblock_case(H264Random &random, unsigned bit_depth, uint32_t mb_width,
                                  uint32_t mb_height, H264Strengths strengths) {
    H264DeblockCase made{mb_width, mb_height, {}};
    made.inputs.resize(size_t(mb_width) * mb_height);
    const int lowest = -6 * (int(bit_depth) - 8);
    Slice slice = any_slice(random, lowest);
    for (h264::DeblockInput &mb : made.inputs) {
        if (random.one_in(30)) slice = any_slice(random, lowest);
        fill_mb(random, mb, slice, lowest);
        if (strengths == H264Strengths::all) {
            mb.filter = mb.filter_left = mb.filter_top = true;
            mb.transform_8x8 = false;
        }
        fill_strengths(random, mb, strengths);
    }
    return made;
}

void fill_samples(H264Random &random, const PictureView &picture) {
    const int largest = (1 << picture.format.bit_depth) - 1;
    for (unsigned p = 0; p < picture.format.planes(); p++) {
        if (picture.format.bit_depth > 8)
            fill_plane<uint16_t>(random, picture.plane[p], largest);
        else
            fill_plane<uint8_t>(random, picture.plane[p], largest);
    }
}

} // namespace v3doff::check
