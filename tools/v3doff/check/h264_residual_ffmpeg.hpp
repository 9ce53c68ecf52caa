// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "h264_residual_inputs.hpp"

struct FfdspH264;

namespace tool {

// Does the operations one after the other with a table of functions, and appends what they left of
// the coefficients. Both chroma planes have one stride.
void call_h264_table(const FfdspH264 &functions, const std::vector<H264Operation> &operations,
                     const PictureShape &shape, const v3doff_planes &planes,
                     std::vector<uint8_t> &left_behind);

} // namespace tool
