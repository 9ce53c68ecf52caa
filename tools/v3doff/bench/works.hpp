// SPDX-License-Identifier: BSD-2-Clause
// Pictures of any size, full of one kind of work. Families time them alone, or combined into whole
// pictures.
#pragma once

#include "bench/bench.hpp"
#include "v3doff/h264.h"
#include "vp9/filter/input.hpp"

namespace tool::bench {

// 4:2:0, with a block of this size at every place. coefficients: how many are coded, in the corner
// of low frequencies. 0: all.
Work vp9_transforms(uint32_t width, uint32_t height, v3doff_vp9_tx tx, uint32_t coefficients = 0);

// 8 bit 4:2:0. Kinds of random superblocks.
enum class Vp9Mix { tx4, tx8, tx32, mixed };
Work vp9_filter(uint32_t width, uint32_t height, Vp9Mix mix);
void vp9_filter_by_ffmpeg(const v3doff_planes &planes,
                          const std::vector<v3doff::vp9::FilterSuperblock> &superblocks, bool simd);

// 4:2:0, every block of the picture. coefficients: how many of a block are coded, from the first
// on.
struct H264Content {
    const char *name;
    v3doff_h264_transform luma, chroma;
    uint32_t coefficients;
    uint32_t bit_depth;
    bool corner = false; // in the 4x4 corner of 8x8
};
Work h264_residual(uint32_t width, uint32_t height, const H264Content &content);

// 8 bit 4:2:0: every edge there is, with strengths given, or derived from random motion.
Work h264_deblocking(uint32_t width, uint32_t height);
Work h264_strengths(uint32_t width, uint32_t height, bool b_slices);

// One after the other, in one submit.
Work chain(const std::string &name, std::vector<Work> works);

} // namespace tool::bench
