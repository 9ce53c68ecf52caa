// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "h264_idct_inputs.hpp"

namespace tool {

// Whether FFmpeg's functions of this bit depth are linked.
bool h264_ffmpeg_has(unsigned bit_depth);

// Does the operations one after the other, and appends what they left of the coefficients.
void run_h264_in_ffmpeg(bool simd, const std::vector<H264Operation> &operations,
                        const GuardedPicture &picture, GuardedPicture::Copy &copy,
                        std::vector<uint8_t> &left_behind);

} // namespace tool
