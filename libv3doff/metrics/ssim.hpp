// SPDX-License-Identifier: BSD-2-Clause
// SSIM of the luma plane (Wang et al., IEEE TIP 13(4), 2004) over 8x8 windows, one every 4 samples,
// with K1 = 0.01 and K2 = 0.03. Windows are whole: none reaches over the border.
//
// So that every device gives the same bits, a window's value is an integer: its luminance term and
// its contrast-structure term are each rounded down to 2^-22, and so is their product.
#pragma once

#include "metrics/plane.hpp"

namespace v3doff::metrics {

inline constexpr uint32_t ssim_window = 8, ssim_step = 4, ssim_fraction_bits = 22;

inline uint32_t ssim_windows(uint32_t size) {
    return (size - ssim_window) / ssim_step + 1;
}

// (K peak)^2 for sums over 64 samples, times 64 again: rounded integers.
struct SsimConstants {
    uint64_t c1, c2;
};
SsimConstants ssim_constants(uint32_t depth);

// The sum of all windows' values, in units of 2^-22.
int64_t ssim_reference(const Plane &reference, const Plane &distorted);

double ssim_score(int64_t sum, uint32_t width, uint32_t height);

} // namespace v3doff::metrics
