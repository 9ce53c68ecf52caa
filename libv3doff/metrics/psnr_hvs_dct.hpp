// SPDX-License-Identifier: BSD-2-Clause
// The 8-point integer DCT by lifting steps that PSNR-HVS-M is computed with.
#pragma once

#include <cstdint>

namespace v3doff::metrics {

// in and out may not overlap; step is the distance of successive inputs.
void psnr_hvs_dct8(const int32_t *in, int step, int32_t *out);

} // namespace v3doff::metrics
