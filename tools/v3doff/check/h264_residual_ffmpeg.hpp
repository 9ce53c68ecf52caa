// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "h264_residual_inputs.hpp"

struct FfdspH264;

namespace tool {

// Whether FFmpeg's functions of this bit depth are linked.
bool h264_ffmpeg_has(unsigned bit_depth);

// Does the operations one after the other, and appends what they left of the coefficients.
void run_h264_in_ffmpeg(bool simd, const std::vector<H264Operation> &operations,
                        const GuardedPicture &picture, GuardedPicture::Copy &copy,
                        std::vector<uint8_t> &left_behind);

// The same with any table of functions of the type in ffdsp.h, and in any planes with the layout of
// the picture's.
void call_h264_table(const FfdspH264 &functions, const std::vector<H264Operation> &operations,
                     const GuardedPicture &picture, uint8_t *const planes[3],
                     std::vector<uint8_t> &left_behind);

} // namespace tool
