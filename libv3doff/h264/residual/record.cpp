// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual/record.hpp"

#include <cstring>

#include "h264/residual/calls.hpp"

namespace v3doff::h264 {
namespace {

ResidualCalls &stage_of(Picture &picture) {
    return picture.stage<ResidualCalls>(Slot::transform);
}

// With constant sizes the compiler expands memset. A call would take as long as all the rest.
inline void clear_block(void *coefficients, ResidualKind kind, size_t bytes) {
    const size_t count = residual_used(kind);
    if (count == 16)
        bytes == 2 ? std::memset(coefficients, 0, 16 * 2) : std::memset(coefficients, 0, 16 * 4);
    else
        std::memset(coefficients, 0, count * bytes);
}

// The samples from which a prediction is made.
Rectangle neighbours_of(const ResidualPlace &at, const Prediction &prediction) {
    const uint32_t rows = prediction.height << at.field;
    const bool filtered = prediction.shape == PredictShape::luma8x8_filtered;
    const uint32_t before = filtered && prediction.has_top_left;
    if (prediction.direction == PredictDirection::vertical) {
        const uint32_t behind = filtered && prediction.has_top_right;
        return {at.x - before, at.y - (1u << at.field), before + prediction.width + behind, 1};
    }
    const uint32_t above = before << at.field;
    return {at.x - 1, at.y - above, 1, above + rows};
}

// The sums are residuals of 4x4 blocks.
void record_sums(Picture &picture, uint32_t lane, const ResidualPlace &at,
                 const Prediction &prediction, const int32_t *sums) {
    for (uint32_t y = 0; y < prediction.height; y += 4)
        for (uint32_t x = 0; x < prediction.width; x += 4) {
            int32_t wide[16];
            int16_t narrow[16];
            for (uint32_t i = 0; i < 16; i++)
                narrow[i] = int16_t(wide[i] = sums[(y + i / 4) * prediction.width + x + i % 4]);
            const bool is_wide = picture.format().bit_depth > 8;
            stage_of(picture).record(lane, picture.view(),
                                     {{at.plane, at.x + x, at.y + (y << at.field), at.field},
                                      ResidualKind::bypass_4x4,
                                      is_wide ? static_cast<const void *>(wide) : narrow});
        }
}

} // namespace

void record_block(Picture &picture, uint32_t lane, const ResidualPlace &place, ResidualKind kind,
                  void *coefficients) {
    ResidualCalls &stage = stage_of(picture);
    stage.reserve(lane, picture.view(), kind == ResidualKind::bypass_8x8 ? 4 : 1);
    stage.record(lane, picture.view(), {place, kind, coefficients});
    clear_block(coefficients, kind, coefficient_bytes(int(picture.format().bit_depth)));
}

void record_macroblock(Picture &picture, uint32_t lane, const ResidualPlace &at,
                       MacroblockGroup group, void *coefficients, const uint8_t *counts) {
    const PictureView &view = picture.view();
    const int bit_depth = int(view.format.bit_depth);
    const size_t bytes = coefficient_bytes(bit_depth);
    const auto blocks =
        macroblock_blocks(group, view.format.chroma, bit_depth, counts, coefficients);
    ResidualCalls &stage = stage_of(picture);
    stage.reserve(lane, view, blocks.count);
    for (uint32_t i = 0; i < blocks.count; i++) {
        const MacroblockBlock &block = blocks.block[i];
        auto *first = static_cast<std::byte *>(coefficients) + size_t(block.number) * 16 * bytes;
        const uint plane = block.plane ? block.plane : at.plane;
        stage.record(
            lane, view,
            {{plane, at.x + block.x, at.y + (block.y << at.field), at.field}, block.kind, first});
        clear_block(first, block.kind, bytes);
    }
}

void record_prediction(Picture &picture, uint32_t lane, const ResidualPlace &at,
                       const Prediction &prediction, void *coefficients) {
    const PlaneView &plane = picture.view().plane[at.plane];
    const int bit_depth = int(picture.format().bit_depth);
    const uint32_t samples = prediction.width * prediction.height;
    stage_of(picture).reserve(lane, picture.view(), samples / 16);
    picture.require(lane, at.plane, neighbours_of(at, prediction));
    int32_t sums[16 * 16];
    sum_differences(prediction, coefficients, bit_depth, sums);
    write_prediction(prediction,
                     plane.data + ptrdiff_t(at.y) * plane.stride +
                         ptrdiff_t(at.x) * picture.format().sample_bytes(),
                     plane.stride << at.field, bit_depth);
    record_sums(picture, lane, at, prediction, sums);
    std::memset(coefficients, 0, samples * coefficient_bytes(bit_depth));
}

} // namespace v3doff::h264
