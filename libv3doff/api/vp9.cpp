// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/vp9.h"

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "vp9/itx.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

void check_place(const PictureView &picture, const vp9::ItxBlock &block) {
    if (block.plane >= picture.format.planes())
        refuse("plane: " + std::to_string(block.plane) + ", the picture has " +
               std::to_string(picture.format.planes()));
    const PlaneView &plane = picture.plane[block.plane];
    if (block.x % 4 || block.y % 4) refuse("x, y: not multiples of 4");
    if (block.x >= plane.width || block.y >= plane.height)
        refuse("x, y: (" + std::to_string(block.x) + ", " + std::to_string(block.y) +
               ") is outside the plane");
    if (block.x + block.size() > plane.padded_width || block.y + block.size() > plane.padded_height)
        refuse("x, y: the block ends outside the plane's memory");
}

void check_kind(const vp9::ItxBlock &block) {
    if (block.tx > V3DOFF_VP9_TX_LOSSLESS) refuse("tx: unknown");
    if (block.type > V3DOFF_VP9_ADST_ADST) refuse("type: unknown");
    uint32_t n = block.size();
    if (block.eob < 1 || block.eob > n * n)
        refuse("eob: " + std::to_string(block.eob) + " is not 1 to " + std::to_string(n * n));
}

} // namespace

v3doff_result v3doff_vp9_record_itx(v3doff_picture *picture, uint32_t lane, uint32_t plane,
                                    uint32_t x, uint32_t y, v3doff_vp9_tx tx,
                                    v3doff_vp9_tx_type type, uint32_t eob, void *coefficients) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        if (lane >= V3DOFF_LANES) refuse("lane: " + std::to_string(lane) + " is not below 64");
        require_pointer(coefficients, "coefficients");
        vp9::ItxBlock block{plane, x, y, uint32_t(tx), uint32_t(type), eob};
        check_kind(block);
        check_place(object.view(), block);
        if (!vp9::Itx::supports(object.format(), block)) return V3DOFF_ERROR_UNSUPPORTED;
        Picture::LaneGuard guard(object, lane);
        object.stage<vp9::Itx>(Slot::transform).record(lane, object.format(), block, coefficients);
        return V3DOFF_OK;
    });
}
