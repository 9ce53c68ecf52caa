// SPDX-License-Identifier: BSD-2-Clause
// The order that ITU-T H.264 8.7 prescribes, and a wrong one.
#pragma once

#include "h264_picture.hpp"

namespace v3doff::order::h264 {

using Planes = std::vector<std::vector<Sample>>;

// Macroblocks in order of their addresses; in each the vertical edges from left to right, then the
// horizontal edges from top to bottom.
Planes raster_order(const Picture &picture);

// All vertical edges of the picture, then all horizontal ones: what the standard does not do.
Planes vertical_then_horizontal(const Picture &picture);

} // namespace v3doff::order::h264
