// SPDX-License-Identifier: BSD-2-Clause
// What the calls that record in a picture have in common.
#pragma once

#include "api/guard.hpp"
#include "api/handles.hpp"

namespace v3doff::api {

// Throws INVALID_HANDLE, or INVALID_ARGUMENT for a lane that there is not. Some decoders come here
// with each block.
inline Picture &picture_with_lane(v3doff_picture *picture, uint32_t lane) {
    Picture &object = *resolve(picture, "picture");
    if (lane >= V3DOFF_LANES) refuse("lane: " + std::to_string(lane) + " is not below 64");
    return object;
}

// A picture from which `picture` is predicted. Throws if it cannot be one, and names the argument.
Picture &reference_of(Picture &picture, v3doff_picture *reference, const std::string &argument);

// The same for whole pictures: its samples; `own` is the handle of `picture`.
std::shared_ptr<Surface> surface_of(Picture &picture, const v3doff_picture *own,
                                    v3doff_picture *reference);

// For calls with a lane's pointers to words. body(picture) runs while the lane is held.
template <typename Words, typename Body>
v3doff_result with_words(const char *function, v3doff_picture *picture, uint32_t lane, Words *words,
                         Body body) {
    return guarded(function, [&] {
        Picture &object = picture_with_lane(picture, lane);
        require_pointer(words, "words");
        Picture::LaneGuard guard(object, lane);
        body(object);
        return V3DOFF_OK;
    });
}

} // namespace v3doff::api
