// SPDX-License-Identifier: BSD-2-Clause
// Keys of V3DOFF_DEBUG that concern VP9 alone.
#pragma once

#include "util/debug.hpp"

namespace v3doff::debug {

inline constexpr Key vp9_loopfilter{"vp9_loopfilter", {"fewest", "wave", "cuts", "cuts-phased"}};

} // namespace v3doff::debug
