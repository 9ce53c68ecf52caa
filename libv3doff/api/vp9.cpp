// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/vp9.h"

#include "api/recording.hpp"
#include "vp9/filter/filter.hpp"
#include "vp9/inter/calls.hpp"
#include "vp9/residual/calls.hpp"
#include "vp9/residual/reference.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

// of: the prefix of the arguments in messages. A block that begins in the plane may end in its
// padding.
void check_place(const PictureView &picture, const char *of, uint32_t plane_number, uint32_t x,
                 uint32_t y, uint32_t width, uint32_t height) {
    const std::string name = of;
    if (plane_number >= picture.format.planes())
        refuse(name + "plane: " + std::to_string(plane_number) + ", the picture has " +
               std::to_string(picture.format.planes()));
    const PlaneView &plane = picture.plane[plane_number];
    if (x % 4 || y % 4) refuse(name + "x, y: not multiples of 4");
    if (x >= plane.width || y >= plane.height)
        refuse(name + "x, y: (" + std::to_string(x) + ", " + std::to_string(y) +
               ") is outside the plane");
    if (x + width > plane.padded_width || y + height > plane.padded_height)
        refuse(name + "x, y: the block ends outside the plane's memory");
}

void check_kind(const vp9::ResidualInput &block, uint32_t eob) {
    if (block.tx < 0 || block.tx > V3DOFF_VP9_TX_LOSSLESS) refuse("tx: unknown");
    if (block.type < 0 || block.type > V3DOFF_VP9_ADST_ADST) refuse("type: unknown");
    const auto n = uint32_t(vp9::transform_edge(block.tx));
    if (eob < 1 || eob > n * n)
        refuse("eob: " + std::to_string(eob) + " is not 1 to " + std::to_string(n * n));
}

constexpr uint32_t most_step = 32; // a reference is at most twice as large, 8.4.2

void check_size(const v3doff_vp9_mc &block) {
    if (block.width < 4 || block.width > 64 || (block.width & (block.width - 1)))
        refuse("block->width: " + std::to_string(block.width) + " is not 4, 8, 16, 32 or 64");
    if (block.height < 1 || block.height > 64)
        refuse("block->height: " + std::to_string(block.height) + " is not 1 to 64");
}

void check_filter(const v3doff_vp9_mc &block) {
    if (block.mx > 15 || block.my > 15) refuse("block->mx, my: not 0 to 15");
    if (block.filter < V3DOFF_VP9_FILTER_SMOOTH || block.filter > V3DOFF_VP9_FILTER_BILINEAR)
        refuse("block->filter: unknown");
    if (block.average != 0 && block.average != 1) refuse("block->average: not 0 or 1");
    if (block.step_x > most_step || block.step_y > most_step)
        refuse("block->step_x, step_y: not 1 to 32");
}

uint8_t step_of(uint32_t step) {
    return step ? uint8_t(step) : vp9::inter_unscaled;
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
        Picture &object = picture_with_lane(picture, lane);
        require_pointer(coefficients, "coefficients");
        vp9::ResidualInput block{plane, x, y, int(tx), int(type), int(eob), coefficients};
        check_kind(block, eob);
        const auto edge = uint32_t(vp9::transform_edge(block.tx));
        check_place(object.view(), "", plane, x, y, edge, edge);
        if (!vp9::ResidualCalls::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
        Picture::LaneGuard guard(object, lane);
        object.stage<vp9::ResidualCalls>(Slot::transform)
            .record(lane, object.view(), block, coefficients);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_vp9_record_mc(v3doff_picture *picture, uint32_t lane,
                                   const v3doff_vp9_mc *block) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = picture_with_lane(picture, lane);
        const v3doff_vp9_mc known = read_struct(block, "block");
        Picture &reference = reference_of(object, known.reference, "block->reference");
        check_size(known);
        check_place(object.view(), "block->", known.plane, known.x, known.y, known.width,
                    known.height);
        check_filter(known);
        if (!vp9::InterSources::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
        const auto &samples = reference.as_reference();
        Picture::LaneGuard guard(object, lane);
        vp9::InterInput input{};
        input.plane = known.plane;
        input.x = known.x, input.y = known.y;
        input.ref_x = known.ref_x, input.ref_y = known.ref_y;
        input.width = uint8_t(known.width), input.height = uint8_t(known.height);
        input.mx = uint8_t(known.mx), input.my = uint8_t(known.my);
        input.step_x = step_of(known.step_x), input.step_y = step_of(known.step_y);
        input.filter = uint8_t(known.filter);
        input.average = known.average != 0;
        object.stage<vp9::InterCalls>(Slot::prediction).record(lane, object.view(), input, samples);
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
