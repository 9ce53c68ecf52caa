// SPDX-License-Identifier: BSD-2-Clause
#include "api/whole_picture.hpp"

#include "api/guard.hpp"

namespace v3doff::api {

void check_lane(uint32_t lane) {
    if (lane >= V3DOFF_LANES) refuse("lane: " + std::to_string(lane) + " is not below 64");
}

std::shared_ptr<Surface> surface_of(Picture &picture, const v3doff_picture *own,
                                    v3doff_picture *reference) {
    if (reference == own) refuse("info->reference: the picture itself");
    Picture &other = *resolve(reference, "info->reference");
    if (picture.pool().device() != other.pool().device())
        refuse("info->reference: a picture of another device");
    const PictureFormat &ours = picture.format(), &theirs = other.format();
    if (ours.bit_depth != theirs.bit_depth || ours.chroma != theirs.chroma)
        refuse("info->reference: of another bit depth or chroma format");
    return other.as_surface();
}

} // namespace v3doff::api
