// SPDX-License-Identifier: BSD-2-Clause
// Keys of V3DOFF_DEBUG that concern streams.
#pragma once

#include "util/debug.hpp"

namespace v3doff::debug {

inline constexpr Key open{"open", {"wait"}};
inline constexpr Key report{"report", {"stderr"}};

} // namespace v3doff::debug
