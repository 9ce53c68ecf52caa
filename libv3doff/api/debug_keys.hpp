// SPDX-License-Identifier: BSD-2-Clause
// Keys of V3DOFF_DEBUG that concern the C API, and those that programs ask for.
#pragma once

#include "util/debug.hpp"

namespace v3doff::debug {

inline constexpr Key dsp{"dsp", {"auto", "force", "cpu"}};

// Of the FFmpeg patches, which ask v3doff_debug().
inline constexpr Key band_rows{"band_rows", {}};
inline constexpr Key open{"open", {"wait"}};
inline constexpr Key vp9_passes{"vp9_passes", {"1", "2"}};
inline constexpr Key vp9_transforms{"vp9_transforms", {"none", "large", "all"}};

// Of all keys, also those of the layers below. Null: there is none of that name.
const Key *find_key(std::string_view name);

} // namespace v3doff::debug
