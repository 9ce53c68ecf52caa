// SPDX-License-Identifier: BSD-2-Clause
// FFmpeg's intra prediction and transforms of a picture, called as its decoder does.
#pragma once

#include "generators/h264_intra.hpp"

namespace v3doff::check {

// First the residuals of the macroblocks that are not intra, then the intra ones in decoding order.
// Planes and strides are aligned to 16 bytes. False where FFmpeg has no such functions.
bool reconstruct_in_ffmpeg(const H264IntraPicture &from, const PictureView &picture, bool simd);

} // namespace v3doff::check
