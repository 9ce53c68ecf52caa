// SPDX-License-Identifier: BSD-2-Clause
// Boundary strengths on the CPU (ITU-T H.264 8.7.2.1). They define the result of the GPU's pass,
// and replace it where it cannot run.
#pragma once

#include "h264/macroblocks/table.hpp"
#include "records/h264_filter.h"

namespace v3doff::h264 {

// The records of all macroblocks, in raster order. No MBAFF.
void derive_strengths(const MacroblockTable &packed, FilterMb *records);

} // namespace v3doff::h264
