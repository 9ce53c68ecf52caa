// SPDX-License-Identifier: BSD-2-Clause
// Turns what a decoder knows of a macroblock into the record that the deblocking filters read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "records/h264_filter.h"
#include "records/h264_filter_mbaff.h"
#include "v3doff/h264.h"

namespace v3doff::h264 {

using FilterInput = v3doff_h264_deblock_mb;
using MbaffInput = v3doff_h264_deblock_mbaff_mb;

// Directions of edges.
enum : unsigned { vertical_edges, horizontal_edges };

// alpha', beta' and tC0' of one index of tables 8-16 and 8-17, 0 to 51.
struct FilterLimits {
    int alpha, beta, tc0[3];
};
FilterLimits filter_limits(int index);

// alpha, beta and tc0 of 8.7.2.2 for the average of two qp, in the form of FilterMb; 0 where alpha
// or beta is 0, which filters nothing.
uint32_t edge_thresholds(int qp_p, int qp_q, int offset_a, int offset_b);

// Null, or what is wrong with one of them.
const char *check_filter(const FilterInput *inputs, size_t count, unsigned bit_depth);

// left and above are null where there is no macroblock.
FilterMb make_record(const FilterInput &mb, const FilterInput *left, const FilterInput *above);

// The whole picture, in raster order. The picture's border is never filtered, whatever the inputs
// say.
void make_records(const FilterInput *inputs, uint32_t mb_width, uint32_t mb_height,
                  FilterMb *records);

// The same for an MBAFF frame, whose inputs are in raster order of macroblocks.
const char *check_mbaff(const MbaffInput *inputs, uint32_t mb_width, uint32_t pair_height,
                        unsigned bit_depth);

// Its records are pairs in raster order, the upper (top field) macroblock of each first.
void make_mbaff_records(const MbaffInput *inputs, uint32_t mb_width, uint32_t pair_height,
                        FilterMbaffMb *records);

// Strength of a segment of an edge.
inline unsigned strength_of(const uint32_t words[2], unsigned edge, unsigned segment) {
    return words[segment >> 1] >> strength_bit(edge, segment) & 15;
}

} // namespace v3doff::h264
