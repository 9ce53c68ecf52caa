// SPDX-License-Identifier: BSD-2-Clause
// Keys of V3DOFF_DEBUG that programs ask for.
#pragma once

#include "util/debug.hpp"

namespace v3doff::debug {

// Keys of the FFmpeg patches, which ask v3doff_debug() for them.
inline constexpr Key band_rows{"band_rows", {}};
inline constexpr Key vp9_passes{"vp9_passes", {"1", "2"}};
inline constexpr Key vp9_transforms{"vp9_transforms", {"none", "large", "all"}};

// Looks in all keys, including those of the layers below. Null: no key has that name.
const Key *find_key(std::string_view name);

} // namespace v3doff::debug
