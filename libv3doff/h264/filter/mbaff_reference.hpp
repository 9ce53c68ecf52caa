// SPDX-License-Identifier: BSD-2-Clause
// Deblocking of MBAFF frames on the CPU (ITU-T H.264 8.7).
#pragma once

#include "h264/filter/mbaff_records.hpp"
#include "picture/stage.hpp"

namespace v3doff::h264 {

// Macroblocks in decoding order: pairs in raster order, the upper (top field) macroblock of each
// first. The planes must hold whole pairs.
void filter_mbaff_reference(const PictureView &picture, const FilterMbaffMb *records,
                            uint32_t mb_width, uint32_t pair_height);

} // namespace v3doff::h264
