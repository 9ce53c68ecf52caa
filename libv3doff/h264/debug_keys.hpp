// SPDX-License-Identifier: BSD-2-Clause
// Keys of V3DOFF_DEBUG that concern H.264 alone.
#pragma once

#include "util/debug.hpp"

namespace v3doff::debug {

inline constexpr Key h264_intra{"h264_intra", {"cheaper", "levels", "tiles"}};

} // namespace v3doff::debug
