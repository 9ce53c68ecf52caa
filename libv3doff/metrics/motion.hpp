// SPDX-License-Identifier: BSD-2-Clause
// motion_v2: the mean absolute value of the blurred difference of two successive luma planes of the
// reference. The blur is separable with five taps, in integers, vertically first.
#pragma once

#include "metrics/plane.hpp"

namespace v3doff::metrics {

inline constexpr int32_t motion_taps[5] = {3571, 16004, 26386, 16004, 3571};

// The sum of absolute values in units of 1/256.
uint64_t motion_reference(const Plane &previous, const Plane &current);

double motion_score(uint64_t sum, uint32_t width, uint32_t height);

} // namespace v3doff::metrics
