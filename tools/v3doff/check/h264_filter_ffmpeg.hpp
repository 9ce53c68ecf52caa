// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking by edge functions, FFmpeg's or ours, in the standard's order.
#pragma once

#include "ffdsp.h"
#include "generators/h264_filter.hpp"
#include "picture_case.hpp"
#include "v3doff/h264.h"

namespace tool {

// A frame, or the lines of a field: planes begin at their first line.
struct FilterPlanes {
    PictureShape shape;
    uint8_t *plane[3];
    ptrdiff_t stride[3];
    uint32_t mb_width, mb_height;
};

// One call of the API: a frame or a field of a picture.
struct FilterPart {
    v3doff_h264_structure structure;
    uint32_t mb_width, mb_height;
    std::vector<v3doff_h264_deblock_mb> macroblocks;
};

// One field, both fields, or, mostly, a frame.
std::vector<FilterPart> random_filter_parts(const PictureShape &shape,
                                            v3doff::check::H264Strengths strengths,
                                            v3doff::check::H264Random &random);
FilterPlanes planes_of(const FilterPart &part, const PictureShape &shape,
                       const v3doff_planes &picture);
void record_part(v3doff_picture *picture, const FilterPart &part);
std::string structures_of(const std::vector<FilterPart> &parts);

// 8.7: macroblocks in raster order; in each, for luma and then chroma, edges between columns from
// left to right, then edges between rows from top to bottom.
void filter_by_table(const FfdspH264 &functions, const FilterPlanes &planes,
                     const std::vector<v3doff_h264_deblock_mb> &macroblocks);

// The same for an MBAFF frame; mb_height counts macroblocks.
void filter_mbaff_by_table(const FfdspH264 &functions, const FilterPlanes &planes,
                           const std::vector<v3doff_h264_deblock_mbaff_mb> &macroblocks);

} // namespace tool
