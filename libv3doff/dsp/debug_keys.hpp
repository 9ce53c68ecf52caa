// SPDX-License-Identifier: BSD-2-Clause
// Keys of V3DOFF_DEBUG that concern DSP tables.
#pragma once

#include "util/debug.hpp"

namespace v3doff::debug {

inline constexpr Key dsp{"dsp", {"auto", "force", "cpu"}};

} // namespace v3doff::debug
