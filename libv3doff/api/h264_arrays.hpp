// SPDX-License-Identifier: BSD-2-Clause
// Checks a caller's v3doff_h264_arrays, as far as that is possible without reading the arrays.
#pragma once

#include "h264/filter.hpp"

namespace v3doff::api {

// The macroblocks that the arrays describe. Throws INVALID_ARGUMENT.
h264::FilterArea h264_area_of(const PictureView &picture, v3doff_h264_structure structure,
                              bool mbaff = false);

// Strides and flags.
void check_h264_layout(const h264::FilterArea &area, const v3doff_h264_arrays &arrays);

h264::StrengthInput h264_strength_input(const PictureView &picture, const h264::FilterArea &area,
                                        const v3doff_h264_arrays &arrays);

} // namespace v3doff::api
