// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking on the CPU (ITU-T H.264 8.7). It defines the result of the GPU's passes, and
// replaces them where they cannot run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "h264/filter/records.hpp"
#include "picture/stage.hpp"

namespace v3doff::h264 {

// One edge of a plane: `lines` lines that cross it, `across` bytes from sample to sample along a
// line, `along` bytes from line to line; `at` is q0 of the first line. Thresholds and tc0 are the
// 8-bit table values; the depth scales them.
struct Edge {
    std::byte *at;
    ptrdiff_t across, along;
    unsigned lines;
    int bit_depth;
};

// Strengths 1 to 3 (8.7.2.3): tc0 of one group of lines; negative leaves the lines alone. Reads 3
// samples on each side and writes 2; in chroma style reads 2 and writes 1.
void filter_edge(const Edge &edge, int alpha, int beta, int tc0, bool chroma_style);

// Strength 4 (8.7.2.4): reads 4 samples on each side and writes 3; in chroma style reads 2 and
// writes 1.
void filter_edge_strong(const Edge &edge, int alpha, int beta, bool chroma_style);

// With thresholds as in FilterMb and a strength of 0 to 4.
void filter_packed(const Edge &edge, uint32_t thresholds, unsigned strength, bool chroma_style);

// Whole picture, macroblocks in raster order, in each the vertical edges left to right, then the
// horizontal edges top to bottom. A field is a picture with twice the stride. The planes must hold
// whole macroblocks. 4:0:0, 4:2:0, 4:2:2 and 4:4:4; no MBAFF.
void filter_reference(const PictureView &picture, const FilterMb *records, uint32_t mb_width,
                      uint32_t mb_height);

// An MBAFF frame, macroblocks in decoding order: pairs in raster order, the upper (top field)
// macroblock of each first. The planes must hold whole pairs.
void filter_mbaff_reference(const PictureView &picture, const FilterMbaffMb *records,
                            uint32_t mb_width, uint32_t pair_height);

} // namespace v3doff::h264
