// SPDX-License-Identifier: BSD-2-Clause
// Deblocking of the made-up picture by FFmpeg's own walk over macroblocks, strengths included.
#pragma once

#include "bench/h264_made_picture.hpp"
#include "ffdsp_h264_filter.h"

namespace tool::bench::h264 {

class FfmpegDeblocking {
  public:
    explicit FfmpegDeblocking(const MadePicture &content);
    FfmpegDeblocking(const FfmpegDeblocking &) = delete;
    FfmpegDeblocking &operator=(const FfmpegDeblocking &) = delete;
    void run(const v3doff_planes &planes, bool simd) const;

  private:
    // FFmpeg reads beyond the picture: two rows above it and a column beside it.
    std::vector<uint32_t> type_;
    std::vector<int8_t> qp_, reference_;
    std::vector<uint16_t> slice_, coded_blocks_;
    std::vector<MadePicture::Counts> counts_;
    std::vector<MadePicture::Vector> motion_;
    FfdspFilterSlice of_picture_{};
    FfdspFilter filter_{};
};

} // namespace tool::bench::h264
