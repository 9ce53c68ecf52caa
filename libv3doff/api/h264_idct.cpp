// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual/calls.hpp"

#include "api/recording.hpp"
#include "h264/residual/reference.hpp"
#include "v3doff/h264.h"

using namespace v3doff;
using namespace v3doff::api;

namespace {

// What all calls that record have in common.
struct Target {
    Picture &picture;
    uint32_t lane;
    h264::ResidualPlace place;

    const PictureView &view() const { return picture.view(); }
};

Target target_of(v3doff_picture *picture, uint32_t lane, uint32_t plane, uint32_t x, uint32_t y,
                 v3doff_h264_rows rows, void *coefficients) {
    Picture &object = picture_with_lane(picture, lane);
    require_pointer(coefficients, "coefficients");
    if (uint32_t(rows) > V3DOFF_H264_FIELD_ROWS) refuse("rows: unknown");
    const uint32_t planes = object.format().planes();
    if (plane >= planes)
        refuse("plane: " + std::to_string(plane) + ", the picture has " + std::to_string(planes));
    return {object, lane, {plane, x, y, uint32_t(rows)}};
}

void check_place(const Target &target, uint32_t width, uint32_t height) {
    const h264::ResidualPlace &place = target.place;
    const uint32_t first = place.field ? place.y & ~1u : place.y;
    auto refuse_place = [&](const std::string &why) {
        refuse("x, y: (" + std::to_string(place.x) + ", " + std::to_string(place.y) + ") " + why);
    };
    if (place.x % width || first % (height << place.field))
        refuse_place("is not a multiple of " + std::to_string(width) + "x" +
                     std::to_string(height));
    if (!h264::residual_fits(target.view(), place, width, height))
        refuse_place("ends outside the plane's memory");
}

// The size of a macroblock in the plane.
uint32_t macroblock_width(const Target &target) {
    return 16u >> target.view().format.shift_x(target.place.plane);
}

uint32_t macroblock_height(const Target &target) {
    return 16u >> target.view().format.shift_y(target.place.plane);
}

bool is_subsampled(const PictureFormat &format) {
    return format.chroma == V3DOFF_CHROMA_420 || format.chroma == V3DOFF_CHROMA_422;
}

void check_group(const Target &target, v3doff_h264_group group) {
    if (uint32_t(group) >= h264::kMacroblockGroups) refuse("group: unknown");
    const bool chroma = target.place.plane > 0;
    const bool subsampled = is_subsampled(target.view().format);
    if (group == V3DOFF_H264_ADD8 && (!subsampled || target.place.plane != 1))
        refuse("group: ADD8 is for plane 1 of 4:2:0 and 4:2:2");
    if (group != V3DOFF_H264_ADD8 && chroma && subsampled)
        refuse("group: 16x16 samples in plane " + std::to_string(target.place.plane));
    check_place(target, macroblock_width(target), macroblock_height(target));
}

void check_neighbours(const Target &target, const h264::Prediction &prediction) {
    const bool vertical = prediction.direction == h264::PredictDirection::vertical;
    const bool filtered = prediction.shape == h264::PredictShape::luma8x8_filtered;
    const h264::ResidualPlace &at = target.place;
    const uint32_t padded_width = target.view().plane[at.plane].padded_width;
    const bool no_row = at.y < (1u << at.field), no_column = at.x == 0;
    const bool corner = filtered && prediction.has_top_left;
    if (vertical ? no_row : no_column) refuse("x, y: the neighbours are outside the picture");
    if ((corner && (no_row || no_column)) ||
        (filtered && vertical && prediction.has_top_right && at.x + 8 >= padded_width))
        refuse("neighbours: outside the picture");
}

h264::Prediction checked_prediction(const Target &target, v3doff_h264_predict shape,
                                    v3doff_h264_direction direction, uint32_t neighbours) {
    if (uint32_t(shape) >= h264::kPredictShapes) refuse("shape: unknown");
    if (uint32_t(direction) > V3DOFF_H264_HORIZONTAL) refuse("direction: unknown");
    const uint32_t all = V3DOFF_H264_HAS_TOP_LEFT | V3DOFF_H264_HAS_TOP_RIGHT;
    if (neighbours & ~(shape == V3DOFF_H264_PREDICT_8X8_FILTERED ? all : 0))
        refuse("neighbours: bits that are unknown or unused here");
    const PictureFormat &format = target.view().format;
    const bool chroma = target.place.plane && is_subsampled(format);
    if (chroma != (shape == V3DOFF_H264_PREDICT_CHROMA))
        refuse("shape: not one of plane " + std::to_string(target.place.plane));
    const h264::Prediction prediction =
        h264::prediction_of(h264::PredictShape(shape), h264::PredictDirection(direction),
                            neighbours & V3DOFF_H264_HAS_TOP_LEFT,
                            neighbours & V3DOFF_H264_HAS_TOP_RIGHT, format.chroma);
    check_place(target, prediction.width, prediction.height);
    check_neighbours(target, prediction);
    return prediction;
}

void check_depth(uint32_t bit_depth) {
    if (bit_depth < 8 || bit_depth > 14)
        refuse("bit_depth: " + std::to_string(bit_depth) + " is not 8 to 14");
}

} // namespace

v3doff_result v3doff_h264_record_idct(v3doff_picture *picture, uint32_t lane, uint32_t plane,
                                      uint32_t x, uint32_t y, v3doff_h264_rows rows,
                                      v3doff_h264_transform transform, void *coefficients) {
    return guarded(__func__, [&]() -> v3doff_result {
        const Target target = target_of(picture, lane, plane, x, y, rows, coefficients);
        if (uint32_t(transform) >= h264::kResidualKinds) refuse("transform: unknown");
        const auto kind = h264::ResidualKind(transform);
        const uint32_t edge = uint32_t(h264::residual_edge(kind));
        check_place(target, edge, edge);
        if (!h264::ResidualCalls::supports(target.view().format)) return V3DOFF_ERROR_UNSUPPORTED;
        Picture::LaneGuard guard(target.picture, lane);
        h264::record_block(target.picture, lane, target.place, kind, coefficients);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_h264_record_macroblock(v3doff_picture *picture, uint32_t lane, uint32_t plane,
                                            uint32_t x, uint32_t y, v3doff_h264_rows rows,
                                            v3doff_h264_group group, void *coefficients,
                                            const uint8_t *nnz) {
    return guarded(__func__, [&]() -> v3doff_result {
        const Target target = target_of(picture, lane, plane, x, y, rows, coefficients);
        require_pointer(nnz, "nnz");
        if (!h264::ResidualCalls::supports(target.view().format)) return V3DOFF_ERROR_UNSUPPORTED;
        check_group(target, group);
        Picture::LaneGuard guard(target.picture, lane);
        h264::record_macroblock(target.picture, lane, target.place, h264::MacroblockGroup(group),
                                coefficients, nnz);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_h264_record_predict_add(v3doff_picture *picture, uint32_t lane, uint32_t plane,
                                             uint32_t x, uint32_t y, v3doff_h264_rows rows,
                                             v3doff_h264_predict shape,
                                             v3doff_h264_direction direction, uint32_t neighbours,
                                             void *coefficients) {
    return guarded(__func__, [&]() -> v3doff_result {
        const Target target = target_of(picture, lane, plane, x, y, rows, coefficients);
        if (!h264::ResidualCalls::supports(target.view().format)) return V3DOFF_ERROR_UNSUPPORTED;
        const auto prediction = checked_prediction(target, shape, direction, neighbours);
        Picture::LaneGuard guard(target.picture, lane);
        h264::record_prediction(target.picture, lane, target.place, prediction, coefficients);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_h264_luma_dc_dequant(uint32_t bit_depth, void *output, const void *input,
                                          int32_t qmul) {
    return guarded(__func__, [&]() -> v3doff_result {
        check_depth(bit_depth);
        require_pointer(output, "output");
        require_pointer(input, "input");
        h264::luma_dc_dequant(output, input, qmul, int(bit_depth));
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_h264_chroma_dc_dequant(uint32_t bit_depth, v3doff_chroma chroma, void *block,
                                            int32_t qmul) {
    return guarded(__func__, [&]() -> v3doff_result {
        check_depth(bit_depth);
        if (chroma != V3DOFF_CHROMA_420 && chroma != V3DOFF_CHROMA_422)
            refuse("chroma: only 4:2:0 and 4:2:2 have separate chroma DC coefficients");
        require_pointer(block, "block");
        h264::chroma_dc_dequant(block, qmul, int(bit_depth), chroma == V3DOFF_CHROMA_422);
        return V3DOFF_OK;
    });
}
