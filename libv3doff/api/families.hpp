// SPDX-License-Identifier: BSD-2-Clause
// The names of the kernel families: in recipes, and in what the library says of them.
#pragma once

#include "core/recipe.hpp"

namespace v3doff::api {

inline constexpr FamilyNames family_names = {"vp9_itx", "vp9_loopfilter", "h264_idct",
                                             "h264_deblock"};

} // namespace v3doff::api
