// SPDX-License-Identifier: BSD-2-Clause
// H.264 work for measuring a device: roughly what a picture of a natural clip needs.
#pragma once

#include "common/trial.hpp"
#include "v3doff/h264dsp.h"
#include "v3doff/recipe.h"

namespace v3doff::h264 {

Trial filter_trial(unsigned size, const v3doff_h264dsp &simd);
Trial residual_trial(unsigned size, const v3doff_h264dsp &simd);
// Of whole pictures from words: predicted from another, or of intra macroblocks alone.
Trial reconstruction_trial(unsigned size, const v3doff_h264dsp &simd,
                           const v3doff_h264_predictors &predictors);
Trial intra_trial(unsigned size, const v3doff_h264dsp &simd,
                  const v3doff_h264_predictors &predictors);

} // namespace v3doff::h264
