// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/psnr_hvs_sum.hpp"

#include <bit>

namespace v3doff::metrics {
namespace {

constexpr uint32_t hidden_bit = 1u << 23, too_large = 0x3fffffff;

} // namespace

PsnrHvsSummary psnr_hvs_summary(std::span<const float, psnr_hvs_terms> terms, uint32_t exponent) {
    uint32_t sums[2] = {0, 0};
    bool large = false;
    for (float term : terms) {
        const uint32_t bits = std::bit_cast<uint32_t>(term), own = bits >> 23;
        if (!own) continue;
        large = large || own > exponent;
        if (large) break;
        const uint32_t mantissa = (bits & (hidden_bit - 1)) | hidden_bit;
        const uint32_t shift = exponent - own < 31 ? exponent - own : 31;
        const uint64_t twice_rest = uint64_t(mantissa & ((1u << shift) - 1)) << 1;
        for (uint32_t odd = 0; odd < 2; odd++) {
            uint32_t units = mantissa >> shift;
            const bool tie = shift && twice_rest == uint64_t(1) << shift;
            if (tie ? (sums[odd] + odd + units) & 1 : twice_rest > uint64_t(1) << shift) units++;
            sums[odd] += units;
        }
    }
    return {large ? too_large : sums[0], (sums[1] - sums[0] + 128) << 8 | exponent};
}

float psnr_hvs_sum(std::span<const PsnrHvsSummary> windows, const PsnrHvsTermsOf &terms_of,
                   size_t *one_by_one) {
    uint32_t sum = 0; // the bits of the float
    size_t slow = 0;
    for (size_t n = 0; n < windows.size(); n++) {
        const PsnrHvsSummary &window = windows[n];
        const int32_t extra = int32_t(window.extra >> 8) - 128;
        if (!window.even && !(window.extra & 0xff)) continue; // no term at all
        const uint32_t units = window.even + uint32_t(sum & 1 ? extra : 0);
        const uint32_t mantissa = (sum & (hidden_bit - 1)) + hidden_bit + units;
        if (sum >> 23 == (window.extra & 0xff) && mantissa < 2 * hidden_bit) {
            sum += units;
            continue;
        }
        float terms[psnr_hvs_terms], value = std::bit_cast<float>(sum);
        terms_of(n, terms);
        for (float term : terms)
            value += term;
        sum = std::bit_cast<uint32_t>(value);
        slow++;
    }
    if (one_by_one) *one_by_one = slow;
    return std::bit_cast<float>(sum);
}

} // namespace v3doff::metrics
