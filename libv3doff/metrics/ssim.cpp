// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/ssim.hpp"

#include <algorithm>
#include <cmath>

namespace v3doff::metrics {
namespace {

struct Moments {
    uint64_t sum_r = 0, sum_d = 0, squares = 0, product = 0;
};

Moments moments_of(const Plane &reference, const Plane &distorted, uint32_t left, uint32_t top) {
    Moments m;
    for (uint32_t y = top; y < top + ssim_window; y++)
        for (uint32_t x = left; x < left + ssim_window; x++) {
            uint64_t r = reference.sample(x, y), d = distorted.sample(x, y);
            m.sum_r += r;
            m.sum_d += d;
            m.squares += r * r + d * d;
            m.product += r * d;
        }
    return m;
}

uint64_t ratio(uint64_t numerator, uint64_t denominator) {
    return (numerator << ssim_fraction_bits) / denominator; // numerator <= denominator < 2^39
}

int64_t window_value(const Moments &m, const SsimConstants &constants) {
    const uint64_t both = 2 * m.sum_r * m.sum_d;
    const uint64_t apart = m.sum_r * m.sum_r + m.sum_d * m.sum_d;
    const uint64_t luminance = ratio(both + constants.c1, apart + constants.c1);
    // 64 sum(ab) - sum(a) sum(b) is 64^2 times the covariance.
    const int64_t covariance = int64_t(128 * m.product) - int64_t(both) + int64_t(constants.c2);
    const uint64_t variances = 64 * m.squares - apart + constants.c2;
    const uint64_t structure = ratio(uint64_t(std::abs(covariance)), variances);
    const int64_t value = int64_t(luminance * structure >> ssim_fraction_bits);
    return covariance < 0 ? -value : value;
}

} // namespace

SsimConstants ssim_constants(uint32_t depth) {
    const double peak = double((1u << depth) - 1);
    return {uint64_t(std::llround(0.01 * 0.01 * peak * peak * 64 * 64)),
            uint64_t(std::llround(0.03 * 0.03 * peak * peak * 64 * 64))};
}

int64_t ssim_reference(const Plane &reference, const Plane &distorted) {
    const SsimConstants constants = ssim_constants(reference.depth);
    int64_t sum = 0;
    for (uint32_t y = 0; y < ssim_windows(reference.height); y++)
        for (uint32_t x = 0; x < ssim_windows(reference.width); x++)
            sum += window_value(moments_of(reference, distorted, x * ssim_step, y * ssim_step),
                                constants);
    return sum;
}

double ssim_score(int64_t sum, uint32_t width, uint32_t height) {
    const double windows = double(ssim_windows(width)) * ssim_windows(height);
    return double(sum) / double(1 << ssim_fraction_bits) / windows;
}

} // namespace v3doff::metrics
