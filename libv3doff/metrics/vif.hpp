// SPDX-License-Identifier: BSD-2-Clause
// VIF, visual information fidelity in the pixel domain (Sheikh and Bovik, IEEE TIP 15(2), 2006), in
// integers, at four scales; the gain is bounded by 100.
//
// Samples are filtered by a Gaussian of 17, 9, 5 and 3 taps, vertically first; local variances and
// covariance follow; the information of a sample is a logarithm from a table of 2^-11 steps. Where
// the reference's variance is below the noise's (2, as 2 * 2^16), a linear term stands for it.
#pragma once

#include <array>
#include <span>

#include "metrics/plane.hpp"

namespace v3doff::metrics {

inline constexpr unsigned vif_scales = 4;
// The taps of scale s; their sum is 65536.
std::span<const uint32_t> vif_taps(unsigned scale);

// round(2048 log2(i)) of i = 32768 + index.
std::span<const uint16_t, 32768> vif_log2_table();

struct VifSums {
    int64_t num_log = 0, den_log = 0;          // in units of 2^-11
    int64_t flat_variance = 0, flat_count = 0; // samples below the noise: of the distorted plane
};

struct VifScore {
    double score = 0, num = 0, den = 0;
    std::array<double, vif_scales> scale{}, scale_num{}, scale_den{};
};

std::array<VifSums, vif_scales> vif_reference(const Plane &reference, const Plane &distorted);

VifScore vif_score(const std::array<VifSums, vif_scales> &sums);

} // namespace v3doff::metrics
