// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "arguments.hpp"

namespace v3doff::order::h264 {

// Random pictures through every schedule, compared with raster order. 0 when all were identical,
// no dispatch read what it writes, and the reach was as stated.
int prove(const char *program, bool mbaff, const Arguments &arguments);

} // namespace v3doff::order::h264
