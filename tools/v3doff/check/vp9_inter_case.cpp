// SPDX-License-Identifier: BSD-2-Clause
#include "vp9_inter_case.hpp"

#include <algorithm>
#include <cstring>

#include "ffdsp.h"

namespace tool {
namespace {

constexpr uint32_t widths[] = {64, 32, 16, 8, 4}; // FFmpeg's order

PictureShape picture_shape(const InterMix &mix, Random &random) {
    // The chroma planes must have room for wide blocks.
    PictureShape shape = random_shape(random, mix.bit_depth, mix.width > 16 ? 150 : 90);
    shape.chroma = v3doff_chroma(1 + below(random, 4)); // VP9 has no monochrome
    return shape;
}

// From twice the size to a sixteenth of it in each direction, 8.4.2.
uint32_t reference_side(uint32_t side, bool scaled, Random &random) {
    if (!scaled) return side;
    return uint32_t(between(random, std::max<int64_t>(1, side / 4), 2 * int64_t(side)));
}

int32_t reference_position(uint32_t at, uint32_t size, uint32_t step, Random &random) {
    const int32_t straight = int32_t(at * (step ? step : 16) / 16);
    switch (below(random, 8)) {
    case 0:
        return int32_t(between(random, -12, 8));
    case 1:
        return int32_t(size) + int32_t(between(random, -80, 8));
    case 2:
        return below(random, 2) ? INT32_MIN + int32_t(below(random, 9))
                                : INT32_MAX - int32_t(below(random, 9));
    default:
        return straight + int32_t(between(random, -24, 24));
    }
}

// Blocks of 4:2:2 are up to four times as high as wide. FFmpeg's NEON functions take twice at most:
// those for both filters overrun their buffer, those 4 wide stop after 8 lines. Several calls then
// are the same prediction.
uint32_t lines_of_a_call(const v3doff_vp9_mc &block) {
#ifdef __aarch64__
    return std::min(block.height, 2 * block.width);
#else
    return block.height;
#endif
}

void predict_by_ffmpeg(const FfdspVp9 &functions, const GuardedPicture &reference,
                       const v3doff_vp9_mc &block, uint8_t *at, ptrdiff_t stride) {
    const PictureShape &shape = reference.shape();
    const SampleWindow window(reference, block.plane, block.ref_x, block.ref_y, 128, 128,
                              shape.plane_width(block.plane), shape.plane_height(block.plane));
    const auto size = std::find(std::begin(widths), std::end(widths), block.width) - widths;
    if (block.step_x || block.step_y) {
        functions.smc[size][block.filter][block.average](
            at, stride, window.first(), SampleWindow::stride, int(block.height), int(block.mx),
            int(block.my), int(block.step_x), int(block.step_y));
        return;
    }
    const uint32_t lines = lines_of_a_call(block);
    for (uint32_t y = 0; y < block.height; y += lines)
        functions.mc[size][block.filter][block.average][block.mx != 0][block.my != 0](
            at + y * stride, stride, window.first() + y * SampleWindow::stride,
            SampleWindow::stride, int(std::min(lines, block.height - y)), int(block.mx),
            int(block.my));
}

} // namespace

InterCase::InterCase(const InterMix &mix, Random &random)
    : PictureCase({picture_shape(mix, random), random}), own_memory_(below(random, 2)) {
    add_references(mix, random);
    for (unsigned p = 0; p < shape().planes(); p++)
        fill_plane(mix, p, random);
}

void InterCase::add_references(const InterMix &mix, Random &random) {
    const unsigned count = unsigned(1 + below(random, 3));
    for (unsigned i = 0; i < count; i++) {
        PictureShape shape = picture_.shape();
        const bool scaled = mix.scaled < 0 ? below(random, 3) == 0 : mix.scaled;
        shape.width = reference_side(shape.width, scaled, random);
        shape.height = reference_side(shape.height, scaled, random);
        GuardedPicture samples(shape, random);
        references_.push_back({std::move(samples), below(random, 2) == 0});
    }
}

InterCaseBlock InterCase::random_block(const InterMix &mix, uint32_t plane, unsigned reference,
                                       Random &random) const {
    InterCaseBlock block{};
    block.reference = reference;
    block.lane = uint32_t(below(random, 3));
    block.mc.struct_size = sizeof block.mc;
    block.mc.plane = plane;
    block.mc.filter = v3doff_vp9_filter(mix.filter < 0 ? int(below(random, 4)) : mix.filter);
    block.mc.mx = below(random, 2) ? uint32_t(1 + below(random, 15)) : 0;
    block.mc.my = below(random, 2) ? uint32_t(1 + below(random, 15)) : 0;
    if (mix.scaled < 0 ? below(random, 4) == 0 : mix.scaled) {
        block.mc.step_x = uint32_t(1 + below(random, 32));
        block.mc.step_y = below(random, 4) ? uint32_t(1 + below(random, 32)) : 16;
    }
    return block;
}

void InterCase::add_block(const InterMix &mix, uint32_t plane, uint32_t x, uint32_t y,
                          uint32_t width, uint32_t height, Random &random) {
    const bool twice = mix.average < 0 ? below(random, 2) : mix.average;
    for (unsigned i = 0; i < 1 + unsigned(twice); i++) {
        // Sometimes only an average, with the previous samples.
        if (i == 0 && twice && below(random, 4) == 0) continue;
        const unsigned reference = unsigned(below(random, references_.size()));
        const PictureShape &from = references_[reference].picture.shape();
        InterCaseBlock block = random_block(mix, plane, reference, random);
        block.mc.x = x, block.mc.y = y;
        block.mc.width = width, block.mc.height = height;
        block.mc.average = int32_t(i);
        block.mc.ref_x = reference_position(x, from.plane_width(plane), block.mc.step_x, random);
        block.mc.ref_y = reference_position(y, from.plane_height(plane), block.mc.step_y, random);
        blocks_.push_back(block);
    }
    if (!mix.transforms || width < 8 || height < 8 || below(random, 2)) return;
    // At any depth, residuals are as small as at 8 bits: with larger ones the CPU does the picture.
    const ResidualKind kind{V3DOFF_VP9_TX_8X8, V3DOFF_VP9_DCT_DCT};
    residuals_.push_back(
        {plane, x, y, uint32_t(below(random, 3)), kind, conformant_input(kind, 8, random)});
}

void InterCase::fill_plane(const InterMix &mix, unsigned plane, Random &random) {
    const PictureShape &shape = picture_.shape();
    const uint32_t across = picture_.padded_width(plane), down = picture_.padded_height(plane);
    for (uint32_t y = 0; y < shape.plane_height(plane);) {
        const uint32_t row = uint32_t(4) << below(random, 5); // of this row of blocks
        for (uint32_t x = 0; x < shape.plane_width(plane);) {
            uint32_t width = mix.width ? mix.width : widths[below(random, 5)];
            if (x % width) width = 4; // FFmpeg's SIMD needs aligned blocks
            uint32_t height = mix.any_height ? uint32_t(1 + below(random, row)) : row;
            if (x + width <= across && y + height <= down && below(random, 8))
                add_block(mix, plane, x, y, width, height, random);
            x += width;
        }
        y += row;
    }
}

void InterCase::record(v3doff_picture *picture, const std::vector<Picture> &references) const {
    for (const InterCaseBlock &block : blocks_) {
        v3doff_vp9_mc mc = block.mc;
        mc.reference = references[block.reference].get();
        check(v3doff_vp9_record_mc(picture, block.lane, &mc), "recording a block");
    }
    for (const PlacedResidual &residual : residuals_)
        record_residual(picture, residual, shape().bit_depth);
}

void InterCase::run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const {
    std::vector<GuardedPicture::Copy> copies;
    const std::vector<Picture> pictures = open_references(references_, device, expected, copies);
    run_in_library(run.copy, own_memory_, device, expected,
                   [&](v3doff_picture *picture) { record(picture, pictures); });
}

void InterCase::run_ffmpeg(CaseRun &run, bool simd) const {
    const FfdspVp9 &functions = *ffdsp_vp9(int(shape().bit_depth), simd);
    const v3doff_planes planes = run.copy.planes();
    for (const InterCaseBlock &block : blocks_)
        predict_by_ffmpeg(functions, references_[block.reference].picture, block.mc,
                          sample_at(planes, shape(), block.mc.plane, block.mc.x, block.mc.y),
                          planes.stride[block.mc.plane]);
    for (const PlacedResidual &residual : residuals_)
        add_residual(functions, residual.kind, residual.input, shape().bit_depth,
                     sample_at(planes, shape(), residual.plane, residual.x, residual.y),
                     planes.stride[residual.plane]);
    ffdsp_emms();
}

} // namespace tool
