// SPDX-License-Identifier: BSD-2-Clause
// Writes a decoder's arrays as a chunk of h264/dump_format.hpp.
#pragma once

#include "h264/macroblocks/area.hpp"
#include "h264/macroblocks/arrays.hpp"
#include "picture/dump.hpp"

namespace v3doff::h264 {

// Arrays that were accepted.
void dump_arrays(const MacroblockArea &area, const Arrays &input, DumpWriter &writer);

} // namespace v3doff::h264
