// SPDX-License-Identifier: BSD-2-Clause
// What recording a whole picture from words takes in both codecs.
#pragma once

#include <memory>

#include "api/handles.hpp"

namespace v3doff::api {

// Throws INVALID_ARGUMENT.
void check_lane(uint32_t lane);

// The samples of a reference from which `picture` is predicted; `own` is the handle of `picture`.
// Throws if `reference` cannot be one.
std::shared_ptr<Surface> surface_of(Picture &picture, const v3doff_picture *own,
                                    v3doff_picture *reference);

} // namespace v3doff::api
