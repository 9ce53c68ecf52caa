// SPDX-License-Identifier: BSD-2-Clause
// PSNR: 10 log10(peak^2 / mean squared error) of one plane, at most 6 depth + 12 dB.
#pragma once

#include "metrics/plane.hpp"

namespace v3doff::metrics {

// The sum of squared differences; below 2^50 for the largest picture.
uint64_t psnr_reference(const Plane &reference, const Plane &distorted);

double psnr_score(uint64_t squares, uint32_t width, uint32_t height, uint32_t depth);

} // namespace v3doff::metrics
