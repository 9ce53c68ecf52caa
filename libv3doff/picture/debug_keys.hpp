// SPDX-License-Identifier: BSD-2-Clause
// Keys of V3DOFF_DEBUG that concern pictures of any codec.
#pragma once

#include "util/debug.hpp"

namespace v3doff::debug {

inline constexpr Key dump_pictures{"dump_pictures", {}};

} // namespace v3doff::debug
