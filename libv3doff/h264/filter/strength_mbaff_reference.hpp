// SPDX-License-Identifier: BSD-2-Clause
// Boundary strengths and thresholds of an MBAFF frame (ITU-T H.264 8.7.2.1, 8.7.2.2), plain code.
#pragma once

#include "h264/macroblocks/table.hpp"
#include "records/h264_filter_mbaff.h"

namespace v3doff::h264 {

// records: packed.count() of them, pairs in raster order.
void derive_mbaff_strengths(const MacroblockTable &packed, FilterMbaffMb *records);

} // namespace v3doff::h264
