// SPDX-License-Identifier: BSD-2-Clause
// The float sum of PSNR-HVS-M, to the last bit, without adding its millions of terms one by one.
//
// While the sum stays between two powers of two, it is a whole number of units (of its last place),
// and adding a term adds a whole number of units too: the term, rounded. That number depends on the
// sum only where the term lies in the middle between two units, and then on whether the sum is odd.
// So all terms of a window add one of two numbers of units, which a shader computes for every
// window at once, for the exponent that it expects. Where the sum had another exponent, or got one
// within the window, the window's terms are added one by one; that is about one window in a
// thousand.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "metrics/psnr_hvs.hpp"

namespace v3doff::metrics {

// What hvs_summary.comp computes for a window. Exponent 0 and no units: all its terms are 0.
struct PsnrHvsSummary {
    uint32_t even;  // units that are added to an even sum
    uint32_t extra; // (what an odd sum gets more + 128) << 8 | exponent
};

// The same in plain code, for tests.
PsnrHvsSummary psnr_hvs_summary(std::span<const float, psnr_hvs_terms> terms, uint32_t exponent);

// terms_of(n) gives the terms of window n. one_by_one: the number of windows it was called for.
using PsnrHvsTermsOf = std::function<void(size_t, std::span<float, psnr_hvs_terms>)>;
float psnr_hvs_sum(std::span<const PsnrHvsSummary> windows, const PsnrHvsTermsOf &terms_of,
                   size_t *one_by_one = nullptr);

} // namespace v3doff::metrics
