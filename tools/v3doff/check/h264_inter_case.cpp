// SPDX-License-Identifier: BSD-2-Clause
#include "h264_inter_case.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace tool {
namespace {

PictureShape h264_inter_shape(const H264InterMix &mix, Random &random) {
    PictureShape shape = random_shape(random, mix.bit_depth, 90);
    while (shape.chroma == V3DOFF_CHROMA_440)
        shape.chroma = v3doff_chroma(below(random, 5));
    return shape;
}

uint32_t macroblocks(uint32_t samples) {
    return (samples + 15) / 16;
}

// If its flag is not set, a weight is one. The sum of two weights is limited (7.4.3.2).
int16_t random_weight(unsigned denominator, Random &random) {
    switch (below(random, 4)) {
    case 0:
        return int16_t(1 << denominator);
    case 1:
        return int16_t(below(random, 2) ? 127 : -128);
    default:
        return int16_t(between(random, -128, 127));
    }
}

int16_t random_offset(Random &random) {
    if (below(random, 4) == 0) return 0;
    return int16_t(below(random, 4) ? between(random, -128, 127) : below(random, 2) ? 127 : -128);
}

bool legal_together(const v3doff_h264_inter_weights &weights) {
    for (int p = 0; p < 3; p++) {
        const int sum = weights.weight[0][p] + weights.weight[1][p];
        if (sum < -128 || sum > (weights.denominator[p > 0] == 7 ? 127 : 128)) return false;
    }
    return true;
}

// FFmpeg's SIMD for 8 bits on x86 adds weighted samples and offset with saturation to 16 bits, and
// interprets a weight of 128 as -128.
bool fits_simd(const v3doff_h264_inter_weights &weights) {
    for (int p = 0; p < 3; p++) {
        const int a = weights.weight[0][p], b = weights.weight[1][p];
        const int offset = ((weights.offset[0][p] + weights.offset[1][p] + 1) | 1)
                           << weights.denominator[p > 0];
        if (a == 128 || b == 128 ||
            255 * std::max({a, b, a + b, 0}) + std::max(offset, 0) > 32767 ||
            255 * std::min({a, b, a + b, 0}) + std::min(offset, 0) < -32768)
            return false;
    }
    return true;
}

} // namespace

H264InterCase::H264InterCase(const H264InterMix &mix, Random &random)
    : picture_(h264_inter_shape(mix, random), random), own_memory_(below(random, 2)) {
    const unsigned count =
        unsigned(below(random, 4) ? 1 + below(random, 3) : 1 + below(random, 16));
    for (unsigned i = 0; i < count; i++) {
        GuardedPicture samples(picture_.shape(), random);
        references_.push_back({std::move(samples), below(random, 2) == 0});
    }
    for (unsigned i = 0; i < 12; i++)
        add_weights(mix, random);
    for (uint32_t y = 0; y < macroblocks(picture_.shape().height); y++)
        for (uint32_t x = 0; x < macroblocks(picture_.shape().width); x++)
            if (below(random, 8)) add_macroblock(mix, x * 16, y * 16, random);
}

void H264InterCase::add_weights(const H264InterMix &mix, Random &random) {
    v3doff_h264_inter_weights weights{};
    do {
        const bool implicit = below(random, 3) == 0;
        const int implicit_weight = int(between(random, -64, 128));
        for (auto &denominator : weights.denominator)
            denominator = uint8_t(implicit ? 5 : below(random, 8));
        for (int list = 0; list < 2; list++)
            for (int p = 0; p < 3; p++) {
                weights.weight[list][p] =
                    implicit ? int16_t(list ? implicit_weight : 64 - implicit_weight)
                             : random_weight(weights.denominator[p > 0], random);
                weights.offset[list][p] = implicit ? int16_t(0) : random_offset(random);
            }
    } while (!legal_together(weights) || (!mix.extreme_weights && !fits_simd(weights)));
    weights_.push_back(weights);
}

void H264InterCase::add_macroblock(const H264InterMix &mix, uint32_t x, uint32_t y,
                                   Random &random) {
    const uint32_t largest = mix.largest ? mix.largest : 4u << below(random, 3);
    for (uint32_t i = 0; i < 256 / (largest * largest); i++) {
        const uint32_t across = 16 / largest;
        add_square(mix, x + i % across * largest, y + i / across * largest, largest, random);
    }
}

// Whole, or two halves, which are 4 wide or high at least.
void H264InterCase::add_square(const H264InterMix &mix, uint32_t x, uint32_t y, uint32_t side,
                               Random &random) {
    const uint32_t half = side / 2;
    switch (half < 4 ? 0 : below(random, 3)) {
    case 0:
        return add_block(mix, x, y, side, side, random);
    case 1:
        add_block(mix, x, y, side, half, random);
        return add_block(mix, x, y + half, side, half, random);
    default:
        add_block(mix, x, y, half, side, random);
        add_block(mix, x + half, y, half, side, random);
    }
}

// Near the block's position, across the reference's edges, far outside, and the largest vectors.
void H264InterCase::set_vector(v3doff_h264_inter_block &block, unsigned list,
                               Random &random) const {
    const int size[2] = {int(picture_.shape().width), int(picture_.shape().height)};
    const int at[2] = {block.x, block.y};
    for (int axis = 0; axis < 2; axis++) {
        int64_t vector;
        switch (below(random, 10)) {
        case 0:
            vector = 4 * between(random, -at[axis] - 24, -at[axis] + 8);
            break;
        case 1:
            vector = 4 * between(random, size[axis] - at[axis] - 24, size[axis] - at[axis] + 8);
            break;
        case 2:
            vector =
                below(random, 2) ? between(random, -32768, -32000) : between(random, 32000, 32764);
            break;
        case 3:
            vector = 0;
            break;
        default:
            vector = 4 * between(random, -24, 24);
        }
        if (below(random, 8)) vector = (vector & ~3) + int64_t(below(random, 4));
        block.vector[list][axis] = int16_t(std::clamp<int64_t>(vector, INT16_MIN, INT16_MAX));
    }
}

void H264InterCase::add_block(const H264InterMix &mix, uint32_t x, uint32_t y, uint32_t width,
                              uint32_t height, Random &random) {
    const H264InterKind kind =
        mix.kind == H264InterKind::any ? H264InterKind(below(random, 4)) : mix.kind;
    v3doff_h264_inter_block block{};
    block.x = uint16_t(x), block.y = uint16_t(y);
    block.width = uint8_t(width), block.height = uint8_t(height);
    const bool two = kind == H264InterKind::two || kind == H264InterKind::two_weighted;
    const unsigned first = unsigned(below(random, 2));
    for (unsigned list = 0; list < 2; list++) {
        const bool used = two || list == first;
        block.reference[list] = used ? int8_t(below(random, references_.size())) : int8_t(-1);
        if (used) set_vector(block, list, random);
    }
    if (kind == H264InterKind::one_weighted || kind == H264InterKind::two_weighted)
        block.weights = uint16_t(1 + below(random, weights_.size()));
    blocks_.push_back(block);
}

std::vector<uint8_t> H264InterCase::run_library(v3doff_device *device,
                                                v3doff_executor expected) const {
    std::vector<GuardedPicture::Copy> copies;
    const std::vector<Picture> pictures = open_references(references_, device, expected, copies);
    std::vector<v3doff_picture *> handles;
    for (const Picture &picture : pictures)
        handles.push_back(picture.get());
    v3doff_h264_inter inter{};
    inter.struct_size = sizeof inter;
    inter.references = handles.data();
    inter.reference_count = handles.size();
    inter.weights = weights_.data();
    inter.weights_count = weights_.size();
    inter.blocks = blocks_.data();
    inter.block_count = blocks_.size();
    return run_in_library(picture_, own_memory_, device, expected, [&](v3doff_picture *picture) {
        check(v3doff_h264_record_inter(picture, &inter), "recording inter prediction");
    });
}

std::vector<uint8_t> H264InterCase::run_ffmpeg(bool simd) const {
    GuardedPicture::Copy copy(picture_);
    const H264InterByFFmpeg functions(picture_, simd);
    for (const v3doff_h264_inter_block &block : blocks_) {
        const GuardedPicture *from[2] = {};
        for (int list = 0; list < 2; list++)
            if (block.reference[list] >= 0)
                from[list] = &references_[size_t(block.reference[list])].picture;
        functions.predict(block, from, block.weights ? &weights_[block.weights - 1u] : nullptr,
                          copy);
    }
    functions.finish();
    return copy.bytes();
}

std::string H264InterCase::describe(const std::string &, size_t byte) const {
    return fmt::format("{}; {} blocks, {} references", picture_.describe(byte), blocks_.size(),
                       references_.size());
}

} // namespace tool
