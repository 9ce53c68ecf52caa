// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking by FFmpeg's edge functions, in the standard's order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "picture_case.hpp"
#include "v3doff/h264.h"

struct FfdspH264;

namespace tool {

// Bit depths and chroma formats for which FFmpeg has functions.
bool ffmpeg_deblocks(unsigned bit_depth);

// A frame, or the lines of a field: planes begin at their first line.
struct FilterPlanes {
    PictureShape shape;
    uint8_t *plane[3];
    ptrdiff_t stride[3];
    uint32_t mb_width, mb_height;
};

// 8.7: macroblocks in raster order; in each, for luma and then chroma, edges between columns from
// left to right, then edges between rows from top to bottom.
void filter_macroblocks_by_ffmpeg(const FilterPlanes &planes,
                                  const std::vector<v3doff_h264_deblock_mb> &macroblocks,
                                  bool simd);

// The same with any table of functions of the type in ffdsp.h.
void filter_by_table(const FfdspH264 &functions, const FilterPlanes &planes,
                     const std::vector<v3doff_h264_deblock_mb> &macroblocks);

// The same for an MBAFF frame; mb_height counts macroblocks.
void filter_mbaff_by_ffmpeg(const FilterPlanes &planes,
                            const std::vector<v3doff_h264_deblock_mbaff_mb> &macroblocks,
                            bool simd);

} // namespace tool
