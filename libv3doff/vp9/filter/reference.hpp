// SPDX-License-Identifier: BSD-2-Clause
// The VP9 loop filter in plain loops, written from the VP9 bitstream specification, 8.8. The GPU
// and all other implementations must give the same bits. It is the fallback without a GPU.
#pragma once

#include <cstddef>

#include "picture/stage.hpp"
#include "vp9/filter/input.hpp"

namespace v3doff::vp9 {

// Limits of one edge at 8 bits a sample, named and valued as FFmpeg passes them.
struct EdgeLimits {
    uint32_t e; // 8.8.4: blimit
    uint32_t i; // limit
    uint32_t h; // thresh
};
EdgeLimits edge_limits(uint32_t level, const FilterSharpness &sharpness);

// Filters `lines` lines across one edge. q0 is the first sample behind the edge on the first line;
// `across` leads from a sample to the next one away from the edge and `along` to the next line, in
// samples. size is 4, 8 or 16 samples; size 16 reads 8 on each side, the others 4. Sample is
// uint8_t at 8 bits and uint16_t above.
template <typename Sample>
void filter_edge(Sample *q0, ptrdiff_t across, ptrdiff_t along, unsigned lines, unsigned size,
                 const EdgeLimits &limits, unsigned bit_depth);

// Filters the whole picture, superblock after superblock in raster order. The input has been
// checked and the planes hold at least filter_area.
void filter_picture(const PictureView &picture, const FilterInput &input);

} // namespace v3doff::vp9
