// SPDX-License-Identifier: BSD-2-Clause
// Turns what a decoder knows of a macroblock of an MBAFF frame into its deblocking record.
#pragma once

#include <cstddef>
#include <cstdint>

#include "records/h264_filter_mbaff.h"
#include "v3doff/h264.h"

namespace v3doff::h264 {

using MbaffInput = v3doff_h264_deblock_mbaff_mb;

// Null, or what is wrong with one of them. In raster order of macroblocks, as the picture has them.
const char *check_mbaff(const MbaffInput *inputs, uint32_t mb_width, uint32_t pair_height,
                        unsigned bit_depth);

// records: pairs in raster order, the upper (top field) macroblock of each first.
void make_mbaff_records(const MbaffInput *inputs, uint32_t mb_width, uint32_t pair_height,
                        FilterMbaffMb *records);

} // namespace v3doff::h264
