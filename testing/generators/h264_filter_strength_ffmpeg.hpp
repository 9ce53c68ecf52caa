// SPDX-License-Identifier: BSD-2-Clause
// Random arrays as FFmpeg's deblocking of a whole picture takes them.
#pragma once

#include <vector>

#include "ffdsp_h264_filter.h"
#include "generators/h264_filter_strength.hpp"

namespace v3doff::check {

class FfmpegInput {
  public:
    FfmpegInput(H264Arrays &arrays, int chroma_format_idc);

    // All but the planes is filled in; of the frame, also where the arrays are a field's.
    FfdspFilter filter{};

  private:
    std::vector<FfdspFilterSlice> slices_;
};

} // namespace v3doff::check
