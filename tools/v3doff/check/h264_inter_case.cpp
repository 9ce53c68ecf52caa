// SPDX-License-Identifier: BSD-2-Clause
#include "h264_inter_case.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace tool {
namespace {

using v3doff::h264::InterWeights;

constexpr unsigned indices = 6, slices = 12; // reference indices of a slice
enum : uint32_t { whole = 8, in_rows = 16, in_columns = 32, in_quarters = 64 }; // mb_type
constexpr uint32_t list_bits[2] = {1 << 12, 1 << 14}; // of the first partition

PictureShape h264_inter_shape(const H264InterMix &mix, Random &random) {
    PictureShape shape = random_shape(random, mix.bit_depth, 90);
    while (shape.chroma == V3DOFF_CHROMA_440)
        shape.chroma = v3doff_chroma(below(random, 5));
    return shape;
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

bool legal_together(const InterWeights &weights) {
    for (int p = 0; p < 3; p++) {
        const int sum = weights.weight[0][p] + weights.weight[1][p];
        if (sum < -128 || sum > (weights.denominator[p > 0] == 7 ? 127 : 128)) return false;
    }
    return true;
}

// FFmpeg's SIMD for 8 bits on x86 adds weighted samples and offset with saturation to 16 bits, and
// interprets a weight of 128 as -128.
bool fits_simd(const InterWeights &weights) {
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

// What a slice's weights are for these indices, negative where the list is not used.
InterWeights weights_of(const v3doff_h264_prediction &from, const int8_t (&index)[2]) {
    InterWeights weights{};
    const bool implicit = from.weighting == V3DOFF_H264_WEIGHTS_IMPLICIT;
    for (unsigned i = 0; i < 2; i++)
        weights.denominator[i] = implicit ? 5 : from.denominator[i];
    for (unsigned list = 0; list < 2; list++)
        for (unsigned p = 0; p < 3 && index[list] >= 0; p++) {
            const int first =
                implicit && index[0] >= 0 && index[1] >= 0 ? from.implicit[index[0]][index[1]] : 0;
            weights.weight[list][p] =
                implicit ? int16_t(list ? 64 - first : first) : from.weight[list][index[list]][p];
            weights.offset[list][p] = implicit ? int16_t(0) : from.offset[list][index[list]][p];
        }
    return weights;
}

bool is_weighted(const v3doff_h264_prediction &from, const int8_t (&index)[2]) {
    return from.weighting == V3DOFF_H264_WEIGHTS_EXPLICIT ||
           (from.weighting == V3DOFF_H264_WEIGHTS_IMPLICIT && index[0] >= 0 && index[1] >= 0);
}

} // namespace

H264InterCase::H264InterCase(const H264InterMix &mix, Random &random)
    : PictureCase({h264_inter_shape(mix, random), random}), mb_width_((shape().width + 15) / 16),
      mb_height_((shape().height + 15) / 16) {
    const unsigned count =
        unsigned(below(random, 4) ? 1 + below(random, 3) : 1 + below(random, 16));
    for (unsigned i = 0; i < count; i++) {
        GuardedPicture samples(shape(), random);
        references_.push_back({std::move(samples), below(random, 2) == 0});
    }
    for (unsigned i = 0; i < slices; i++)
        add_slice(mix, random);
    const size_t macroblocks = size_t(mb_width_) * mb_height_;
    types_.resize(macroblocks);
    missing_.resize(macroblocks);
    slice_table_.resize(macroblocks);
    for (unsigned list = 0; list < 2; list++) {
        index_[list].resize(4 * macroblocks, -1);
        vector_[list].resize(16 * macroblocks);
    }
    const bool one_slice = below(random, 4) == 0;
    for (uint32_t y = 0; y < mb_height_; y++)
        for (uint32_t x = 0; x < mb_width_; x++) {
            slice_table_[y * mb_width_ + x] = one_slice ? 3 : uint16_t(below(random, slices));
            if (below(random, 8))
                add_macroblock(mix, x, y, random);
            else
                add_missing(y * mb_width_ + x, random);
        }
}

// Index 0 of both lists has weights that may be combined.
void H264InterCase::add_slice(const H264InterMix &mix, Random &random) {
    v3doff_h264_prediction slice{};
    const bool two = mix.kind == H264InterKind::two_weighted || mix.kind == H264InterKind::any;
    const bool plain = mix.kind == H264InterKind::any && below(random, 3) == 0;
    slice.weighting = !mix.weighs() || plain         ? V3DOFF_H264_WEIGHTS_DEFAULT
                      : two && below(random, 3) == 0 ? V3DOFF_H264_WEIGHTS_IMPLICIT
                                                     : V3DOFF_H264_WEIGHTS_EXPLICIT;
    for (auto &denominator : slice.denominator)
        denominator = uint8_t(below(random, 8));
    for (int list = 0; list < 2; list++)
        for (unsigned i = 0; i < indices; i++) {
            slice.reference[list][i] = uint8_t(below(random, references_.size()));
            for (int p = 0; p < 3; p++) {
                slice.weight[list][i][p] = i ? random_weight(slice.denominator[p > 0], random)
                                             : int16_t(between(random, -20, 40));
                slice.offset[list][i][p] = i ? random_offset(random) : int16_t(0);
            }
        }
    for (auto &row : slice.implicit)
        for (int16_t &weight : row)
            weight = int16_t(mix.extreme_weights ? between(random, -64, 128)
                                                 : between(random, -60, 124));
    slices_.push_back(slice);
}

// Indices that may be used together, by one list or both.
H264InterCase::Block H264InterCase::like(const H264InterMix &mix, uint16_t number,
                                         Random &random) const {
    const v3doff_h264_prediction &slice = slices_[number];
    const bool any = mix.kind == H264InterKind::any;
    const bool two =
        any ? below(random, 2)
            : mix.kind == H264InterKind::two || mix.kind == H264InterKind::two_weighted;
    const unsigned first = unsigned(below(random, 2));
    Block block{};
    block.weights = number;
    for (unsigned attempt = 0;; attempt++) {
        for (unsigned list = 0; list < 2; list++)
            block.reference[list] = two || list == first
                                        ? int8_t(attempt < 20 ? below(random, indices) : 0)
                                        : int8_t(-1);
        const InterWeights weights = weights_of(slice, block.reference);
        if (attempt == 20 ||
            (legal_together(weights) && (mix.extreme_weights || fits_simd(weights))))
            return block;
    }
}

void H264InterCase::add_macroblock(const H264InterMix &mix, uint32_t x, uint32_t y,
                                   Random &random) {
    const uint32_t largest = mix.largest ? mix.largest : 4u << below(random, 3);
    const size_t at = y * mb_width_ + x;
    const auto next = [&] { return like(mix, slice_table_[at], random); };
    uint32_t &type = types_[at];
    x *= 16, y *= 16;
    if (largest < 16) {
        type = in_quarters;
        for (unsigned i = 0; i < 4; i++) {
            Block quarter = next();
            quarter.x = uint16_t(x + i % 2 * 8), quarter.y = uint16_t(y + i / 2 * 8);
            const uint32_t lists = add_quarter(mix, quarter, random);
            type |= lists | lists << 1;
        }
        return;
    }
    switch (below(random, 3)) {
    case 0:
        type = whole | add_block(next(), x, y, 16, 16, random);
        break;
    case 1:
        type = in_rows | add_block(next(), x, y, 16, 8, random);
        type |= add_block(next(), x, y + 8, 16, 8, random) << 1;
        break;
    default:
        type = in_columns | add_block(next(), x, y, 8, 16, random);
        type |= add_block(next(), x + 8, y, 8, 16, random) << 1;
    }
}

// Its words are missing. The arrays may have anything of it, as after damage.
void H264InterCase::add_missing(size_t at, Random &random) {
    static constexpr uint32_t shapes[] = {whole, in_rows, in_columns, in_quarters, 1};
    missing_[at] = true;
    types_[at] = shapes[below(random, 5)] | uint32_t(below(random, 16)) << 12;
    slice_table_[at] = uint16_t(below(random, 3) ? below(random, 2 * slices) : UINT16_MAX);
    for (unsigned list = 0; list < 2; list++) {
        for (size_t block = 4 * at; block < 4 * at + 4; block++)
            index_[list][block] = int8_t(between(random, -2, 127));
        for (size_t block = 0; block < 16; block++)
            vector_[list][(at / mb_width_ * 4 + block / 4) * 4 * mb_width_ + at % mb_width_ * 4 +
                          block % 4] = {int16_t(random()), int16_t(random())};
    }
}

// All blocks of a quarter have the same references.
uint32_t H264InterCase::add_quarter(const H264InterMix &mix, const Block &quarter, Random &random) {
    const uint64_t shape = mix.largest == 4 ? 3 : below(random, mix.largest ? 3 : 4);
    const uint32_t width = shape & 1 ? 4 : 8, height = shape & 2 ? 4 : 8;
    uint32_t lists = 0;
    for (uint32_t y = 0; y < 8; y += height)
        for (uint32_t x = 0; x < 8; x += width)
            lists = add_block(quarter, quarter.x + x, quarter.y + y, width, height, random);
    return lists;
}

// Near the block's position, across the reference's edges, far outside, and the largest vectors.
void H264InterCase::set_vector(Block &block, unsigned list, Random &random) const {
    const int size[2] = {int(shape().width), int(shape().height)};
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

// Also enters it into the arrays; returns the bits of a type that name its lists.
uint32_t H264InterCase::add_block(Block block, uint32_t x, uint32_t y, uint32_t width,
                                  uint32_t height, Random &random) {
    uint32_t lists = 0;
    block.x = uint16_t(x), block.y = uint16_t(y);
    block.width = uint8_t(width), block.height = uint8_t(height);
    for (unsigned list = 0; list < 2; list++) {
        if (block.reference[list] < 0) continue;
        lists |= list_bits[list];
        set_vector(block, list, random);
        for (uint32_t down = y / 4; down < (y + height) / 4; down++)
            for (uint32_t right = x / 4; right < (x + width) / 4; right++) {
                const size_t at = down / 4 * mb_width_ + right / 4;
                index_[list][4 * at + down / 2 % 2 * 2 + right / 2 % 2] = block.reference[list];
                vector_[list][down * 4 * mb_width_ + right] = {block.vector[list][0],
                                                               block.vector[list][1]};
            }
    }
    blocks_.push_back(block);
    return lists;
}

void H264InterCase::record(v3doff_picture *picture, const std::vector<Picture> &references) const {
    v3doff_h264_words words{};
    check(v3doff_h264_make_room(picture, 0, &words, mb_width_ * mb_height_), "making room");
    for (uint32_t i = 0; i < types_.size(); i++)
        if (!missing_[i]) v3doff_h264_append_skipped(&words, i % mb_width_, i / mb_width_);
    check(v3doff_h264_end_lane(picture, 0, &words), "ending a lane");
    v3doff_h264_arrays arrays{};
    arrays.struct_size = sizeof arrays;
    arrays.flags = V3DOFF_H264_ARRAYS_UNFILTERED;
    arrays.mb_stride = mb_width_;
    arrays.mb_type = types_.data();
    arrays.slice_table = slice_table_.data();
    arrays.motion_stride = mb_width_ * size_t(4);
    arrays.motion_mb_stride = mb_width_ * size_t(16);
    arrays.slice_count = slices_.size();
    for (unsigned list = 0; list < 2; list++) {
        arrays.motion[list] = reinterpret_cast<const int16_t(*)[2]>(vector_[list].data());
        arrays.reference[list] = index_[list].data();
    }
    check(v3doff_h264_record_rows(picture, V3DOFF_H264_FRAME, &arrays, 0, V3DOFF_H264_ALL_ROWS),
          "handing over macroblocks");
    v3doff_h264_picture_info info{};
    info.struct_size = sizeof info;
    for (size_t i = 0; i < references.size(); i++)
        info.reference[i] = references[i].get();
    info.predictions = slices_.data();
    info.partial = 1;
    check(v3doff_h264_record_picture(picture, &info), "recording inter prediction");
}

void H264InterCase::run_library(CaseRun &run, v3doff_device *device,
                                v3doff_executor expected) const {
    std::vector<GuardedPicture::Copy> copies;
    const std::vector<Picture> pictures = open_references(references_, device, expected, copies);
    run_in_library(run.copy, true, device, expected,
                   [&](v3doff_picture *picture) { record(picture, pictures); });
}

void H264InterCase::run_ffmpeg(CaseRun &run, bool simd) const {
    const FfdspH264 &functions = *ffdsp_h264(int(shape().bit_depth), int(shape().chroma), simd);
    for (const Block &block : blocks_) {
        const v3doff_h264_prediction &slice = slices_[block.weights];
        const GuardedPicture *from[2] = {};
        for (int list = 0; list < 2; list++)
            if (block.reference[list] >= 0)
                from[list] = &references_[slice.reference[list][block.reference[list]]].picture;
        const InterWeights weights = weights_of(slice, block.reference);
        predict_h264_by_ffmpeg(functions, block, from,
                               is_weighted(slice, block.reference) ? &weights : nullptr, run.copy);
    }
    ffdsp_emms();
}

std::string H264InterCase::describe(const std::string &region, size_t byte) const {
    return fmt::format("{}; {} blocks, {} references", PictureCase::describe(region, byte),
                       blocks_.size(), references_.size());
}

} // namespace tool
