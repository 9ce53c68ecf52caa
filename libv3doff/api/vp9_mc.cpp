// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/vp9.h"

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "vp9/inter/inter.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

constexpr uint32_t most_step = 32; // a reference is at most twice as large, 8.4.2

void check_place(const PictureView &picture, const v3doff_vp9_mc &block) {
    if (block.plane >= picture.format.planes())
        refuse("block->plane: " + std::to_string(block.plane) + ", the picture has " +
               std::to_string(picture.format.planes()));
    const PlaneView &plane = picture.plane[block.plane];
    if (block.width < 4 || block.width > 64 || (block.width & (block.width - 1)))
        refuse("block->width: " + std::to_string(block.width) + " is not 4, 8, 16, 32 or 64");
    if (block.height < 1 || block.height > 64)
        refuse("block->height: " + std::to_string(block.height) + " is not 1 to 64");
    if (block.x % 4 || block.y % 4) refuse("block->x, y: not multiples of 4");
    if (block.x >= plane.width || block.y >= plane.height)
        refuse("block->x, y: (" + std::to_string(block.x) + ", " + std::to_string(block.y) +
               ") is outside the plane");
    if (block.x + block.width > plane.padded_width || block.y + block.height > plane.padded_height)
        refuse("block->x, y: the block ends outside the plane's memory");
}

void check_filter(const v3doff_vp9_mc &block) {
    if (block.mx > 15 || block.my > 15) refuse("block->mx, my: not 0 to 15");
    if (block.filter < V3DOFF_VP9_FILTER_SMOOTH || block.filter > V3DOFF_VP9_FILTER_BILINEAR)
        refuse("block->filter: unknown");
    if (block.average != 0 && block.average != 1) refuse("block->average: not 0 or 1");
    if (block.step_x > most_step || block.step_y > most_step)
        refuse("block->step_x, step_y: not 1 to 32");
}

void check_reference(Picture &picture, Picture &reference) {
    if (picture.pool().device() != reference.pool().device())
        refuse("block->reference: a picture of another device");
    const PictureFormat &ours = picture.format(), &theirs = reference.format();
    if (ours.bit_depth != theirs.bit_depth || ours.chroma != theirs.chroma)
        refuse("block->reference: of another bit depth or chroma format");
}

uint8_t step_of(uint32_t step) {
    return step ? uint8_t(step) : vp9::inter_unscaled;
}

} // namespace

v3doff_result v3doff_vp9_record_mc(v3doff_picture *picture, uint32_t lane,
                                   const v3doff_vp9_mc *block) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        if (lane >= V3DOFF_LANES) refuse("lane: " + std::to_string(lane) + " is not below 64");
        const v3doff_vp9_mc known = read_struct(block, "block");
        Picture &reference = *resolve(known.reference, "block->reference");
        check_place(object.view(), known);
        check_filter(known);
        check_reference(object, reference);
        if (!vp9::Inter::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
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
        object.stage<vp9::Inter>(Slot::prediction).record(lane, object.view(), input, samples);
        return V3DOFF_OK;
    });
}
