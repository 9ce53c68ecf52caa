// SPDX-License-Identifier: BSD-2-Clause
// The names of the kernel families: in recipes, and in what the library says of them.
#pragma once

#include <array>

#include "v3doff/recipe.h"

namespace v3doff {

// In the order of v3doff_family.
inline constexpr std::array<const char *, V3DOFF_FAMILIES> family_names = {
    "vp9_itx", "vp9_loopfilter", "h264_idct", "h264_deblock"};

} // namespace v3doff
