// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/vp9.h"

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "vp9/filter/filter.hpp"
#include "vp9/residual/reference.hpp"
#include "vp9/residual/residual.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

uint32_t edge_of(const vp9::ResidualInput &block) {
    return uint32_t(vp9::transform_edge(block.tx));
}

void check_place(const PictureView &picture, const vp9::ResidualInput &block) {
    if (block.plane >= picture.format.planes())
        refuse("plane: " + std::to_string(block.plane) + ", the picture has " +
               std::to_string(picture.format.planes()));
    const PlaneView &plane = picture.plane[block.plane];
    if (block.x % 4 || block.y % 4) refuse("x, y: not multiples of 4");
    if (block.x >= plane.width || block.y >= plane.height)
        refuse("x, y: (" + std::to_string(block.x) + ", " + std::to_string(block.y) +
               ") is outside the plane");
    if (block.x + edge_of(block) > plane.padded_width ||
        block.y + edge_of(block) > plane.padded_height)
        refuse("x, y: the block ends outside the plane's memory");
}

void check_kind(const vp9::ResidualInput &block, uint32_t eob) {
    if (block.tx < 0 || block.tx > V3DOFF_VP9_TX_LOSSLESS) refuse("tx: unknown");
    if (block.type < 0 || block.type > V3DOFF_VP9_ADST_ADST) refuse("type: unknown");
    uint32_t n = edge_of(block);
    if (eob < 1 || eob > n * n)
        refuse("eob: " + std::to_string(eob) + " is not 1 to " + std::to_string(n * n));
}

static_assert(sizeof(v3doff_vp9_superblock) == sizeof(vp9::FilterSuperblock));

vp9::FilterInput filter_input(const PictureView &picture, uint32_t sharpness,
                              const v3doff_vp9_superblock *superblocks) {
    vp9::FilterInput input;
    input.format = picture.format;
    input.sharpness = sharpness;
    input.superblocks = reinterpret_cast<const vp9::FilterSuperblock *>(superblocks);
    if (sharpness > 7) refuse("sharpness: " + std::to_string(sharpness) + " is not 0 to 7");
    require_pointer(superblocks, "superblocks");
    for (unsigned p = 0; p < picture.format.planes(); p++) {
        vp9::FilterArea area = vp9::filter_area(picture.format, p);
        if (picture.plane[p].padded_width < area.width ||
            picture.plane[p].padded_height < area.height)
            refuse("picture: its memory does not hold whole 8x8 blocks");
    }
    return input;
}

} // namespace

v3doff_result v3doff_vp9_record_itx(v3doff_picture *picture, uint32_t lane, uint32_t plane,
                                    uint32_t x, uint32_t y, v3doff_vp9_tx tx,
                                    v3doff_vp9_tx_type type, uint32_t eob, void *coefficients) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        if (lane >= V3DOFF_LANES) refuse("lane: " + std::to_string(lane) + " is not below 64");
        require_pointer(coefficients, "coefficients");
        vp9::ResidualInput block{plane, x, y, int(tx), int(type), int(eob), coefficients};
        check_kind(block, eob);
        check_place(object.view(), block);
        if (!vp9::Residual::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
        Picture::LaneGuard guard(object, lane);
        object.stage<vp9::Residual>(Slot::transform)
            .record(lane, object.view(), block, coefficients);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_vp9_record_loopfilter(v3doff_picture *picture, uint32_t sharpness,
                                           const v3doff_vp9_superblock *superblocks, size_t count) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        if (!vp9::Filter::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
        auto input = filter_input(object.view(), sharpness, superblocks);
        if (count != size_t(input.cols()) * input.rows())
            refuse("count: " + std::to_string(count) + ", the picture has " +
                   std::to_string(input.cols()) + "x" + std::to_string(input.rows()));
        if (object.submitted_rows()) refuse("picture: the filter of some rows was submitted");
        Picture::LaneGuard guard(object, 0);
        object.stage<vp9::Filter>(Slot::filter).record(input, input.rows());
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_vp9_record_loopfilter_rows(v3doff_picture *picture, uint32_t sharpness,
                                                const v3doff_vp9_superblock *superblocks,
                                                uint32_t first_row, uint32_t rows) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        if (!vp9::Filter::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
        auto input = filter_input(object.view(), sharpness, superblocks);
        if (!rows || first_row >= input.rows() || rows > input.rows() - first_row)
            refuse("first_row, rows: the picture has " + std::to_string(input.rows()));
        if (first_row * 64 < object.submitted_rows())
            refuse("first_row: the filter of these rows was submitted");
        input.top = first_row;
        Picture::LaneGuard guard(object, 0);
        object.stage<vp9::Filter>(Slot::filter).record(input, rows);
        return V3DOFF_OK;
    });
}
