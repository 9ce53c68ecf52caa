// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/psnr.hpp"

#include <algorithm>
#include <cmath>

namespace v3doff::metrics {

uint64_t psnr_reference(const Plane &reference, const Plane &distorted) {
    uint64_t squares = 0;
    for (uint32_t y = 0; y < reference.height; y++)
        for (uint32_t x = 0; x < reference.width; x++) {
            int64_t difference = int64_t(reference.sample(x, y)) - int64_t(distorted.sample(x, y));
            squares += uint64_t(difference * difference);
        }
    return squares;
}

double psnr_score(uint64_t squares, uint32_t width, uint32_t height, uint32_t depth) {
    // The cap is that of other tools. With it, identical planes give a number to average.
    const double cap = 6.0 * depth + 12, peak = double((1u << depth) - 1);
    const double error = double(squares) / (double(width) * height);
    return error > 0 ? std::min(10 * std::log10(peak * peak / error), cap) : cap;
}

} // namespace v3doff::metrics
