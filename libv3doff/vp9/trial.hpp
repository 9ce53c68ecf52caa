// SPDX-License-Identifier: BSD-2-Clause
// VP9 work to measure a device with: what a picture of a natural clip has of it, about.
#pragma once

#include "common/trial.hpp"
#include "v3doff/vp9dsp.h"

namespace v3doff::vp9 {

Trial filter_trial(unsigned size, const v3doff_vp9dsp &simd);
Trial residual_trial(unsigned size, const v3doff_vp9dsp &simd);
// Of whole pictures from words: predicted from another, or of intra blocks alone.
Trial reconstruction_trial(unsigned size, const v3doff_vp9dsp &simd,
                           const v3doff_vp9_intra_pred (*intra)[V3DOFF_VP9_INTRA_MODES]);
Trial intra_trial(unsigned size, const v3doff_vp9dsp &simd,
                  const v3doff_vp9_intra_pred (*intra)[V3DOFF_VP9_INTRA_MODES]);

} // namespace v3doff::vp9
