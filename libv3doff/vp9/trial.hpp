// SPDX-License-Identifier: BSD-2-Clause
// VP9 work to measure a device with: what an inter picture of a natural clip has of it, about.
#pragma once

#include "core/trial.hpp"
#include "v3doff/vp9dsp.h"

namespace v3doff::vp9 {

Trial loopfilter_trial(unsigned size, const v3doff_vp9dsp &simd);
Trial itx_trial(unsigned size, const v3doff_vp9dsp &simd);

} // namespace v3doff::vp9
