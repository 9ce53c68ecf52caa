// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/vif.hpp"

#include <cmath>

#include "util/rounding.hpp"

namespace v3doff::metrics {

std::span<const uint32_t> vif_taps(unsigned scale) {
    static constexpr uint32_t taps17[] = {489,  935,  1640, 2640, 3896, 5274, 6547, 7455, 7784,
                                          7455, 6547, 5274, 3896, 2640, 1640, 935,  489};
    static constexpr uint32_t taps9[] = {1244, 3663, 7925, 12590, 14692, 12590, 7925, 3663, 1244};
    static constexpr uint32_t taps5[] = {3571, 16004, 26386, 16004, 3571};
    static constexpr uint32_t taps3[] = {10904, 43728, 10904};
    switch (scale) {
    case 0:
        return taps17;
    case 1:
        return taps9;
    case 2:
        return taps5;
    default:
        return taps3;
    }
}

std::span<const uint16_t, 32768> vif_log2_table() {
    static const auto table = [] {
        std::array<uint16_t, 32768> values;
        for (uint32_t i = 0; i < values.size(); i++)
            values[i] = uint16_t(std::round(std::log2(float(32768 + i)) * 2048));
        return values;
    }();
    return table;
}

VifScore vif_score(const std::array<VifSums, vif_scales> &sums) {
    VifScore result;
    for (unsigned s = 0; s < vif_scales; s++) {
        const VifSums &sum = sums[s];
        // 1 - variance * 4 / 255^2 for each flat sample, with variances in units of 2^-16.
        const double flat = double(sum.flat_count) - double(sum.flat_variance) / 16384.0 / 65025.0;
        // Other tools keep a scale's sums as floats.
        const float num = rounded_to_float(double(sum.num_log) / 2048.0 + flat);
        const float den = rounded_to_float(double(sum.den_log) / 2048.0 + double(sum.flat_count));
        result.scale_num[s] = double(num);
        result.scale_den[s] = double(den);
        result.scale[s] = double(num / den);
        result.num += result.scale_num[s];
        result.den += result.scale_den[s];
    }
    result.score = result.den == 0 ? 1 : result.num / result.den;
    return result;
}

} // namespace v3doff::metrics
