// SPDX-License-Identifier: BSD-2-Clause
// The integer VIF in plain code: what the shaders are compared with.
#include <algorithm>
#include <bit>
#include <vector>

#include "metrics/vif.hpp"

namespace v3doff::metrics {
namespace {

constexpr int32_t noise = 2 << 16;
constexpr double gain_limit = 100;

struct Image {
    uint32_t width = 0, height = 0;
    std::vector<uint16_t> reference, distorted;
    // What a vertical filter's sum is divided by: 2^shift for samples, 2^square_shift for products.
    unsigned shift = 0, square_shift = 0;
};

Image first_scale(const Plane &reference, const Plane &distorted) {
    Image image{reference.width, reference.height,         {}, {},
                reference.depth, 2 * (reference.depth - 8)};
    for (uint32_t y = 0; y < image.height; y++)
        for (uint32_t x = 0; x < image.width; x++) {
            image.reference.push_back(uint16_t(reference.sample(x, y)));
            image.distorted.push_back(uint16_t(distorted.sample(x, y)));
        }
    return image;
}

uint64_t round_shift(uint64_t value, unsigned shift) {
    return shift ? (value + (uint64_t(1) << (shift - 1))) >> shift : value;
}

// One sample's weighted sums: means, squares, product.
struct Sums {
    uint64_t mean_r = 0, mean_d = 0, rr = 0, dd = 0, rd = 0;
};

Sums filter_column(const Image &image, std::span<const uint32_t> taps, uint32_t x, uint32_t y) {
    Sums sums;
    for (size_t k = 0; k < taps.size(); k++) {
        size_t from = reflect(int64_t(y) + int64_t(k) - int64_t(taps.size() / 2), image.height);
        uint64_t r = image.reference[from * image.width + x];
        uint64_t d = image.distorted[from * image.width + x];
        sums.mean_r += taps[k] * r;
        sums.mean_d += taps[k] * d;
        sums.rr += taps[k] * r * r;
        sums.dd += taps[k] * d * d;
        sums.rd += taps[k] * r * d;
    }
    sums.mean_r = round_shift(sums.mean_r, image.shift);
    sums.mean_d = round_shift(sums.mean_d, image.shift);
    sums.rr = round_shift(sums.rr, image.square_shift);
    sums.dd = round_shift(sums.dd, image.square_shift);
    sums.rd = round_shift(sums.rd, image.square_shift);
    return sums;
}

Sums filter_row(const std::vector<Sums> &row, std::span<const uint32_t> taps, uint32_t x) {
    Sums sums;
    for (size_t k = 0; k < taps.size(); k++) {
        const Sums &from =
            row[reflect(int64_t(x) + int64_t(k) - int64_t(taps.size() / 2), uint32_t(row.size()))];
        sums.mean_r += taps[k] * from.mean_r;
        sums.mean_d += taps[k] * from.mean_d;
        sums.rr += taps[k] * from.rr;
        sums.dd += taps[k] * from.dd;
        sums.rd += taps[k] * from.rd;
    }
    return sums;
}

// round(2048 log2(value)) from its 16 leading bits; value is at least 2^17.
int64_t log2_of(uint64_t value) {
    int shift = 48 - std::countl_zero(value);
    return vif_log2_table()[(value >> shift) - 32768] + 2048 * int64_t(shift);
}

// The information that the distorted sample still carries, in units of 2^-11.
int64_t shared_information(int32_t variance_r, int32_t variance_d, int32_t covariance) {
    // In double, and in exactly these steps: their rounding decides what is cut off below.
    double gain = covariance / (variance_r + 65536 * 1.0e-10);
    double left = variance_d - gain * covariance;
    const uint32_t residual = uint32_t(std::max(left, 0.)) + uint32_t(noise);
    gain = std::min(gain, gain_limit);
    const int64_t kept = int64_t(gain * gain * variance_r);
    return log2_of(uint64_t(kept + residual)) - log2_of(residual);
}

void add_sample(const Sums &sums, VifSums &total) {
    auto variance = [](uint64_t squares, uint64_t a, uint64_t b) {
        return int32_t(uint32_t(round_shift(squares, 16)) - uint32_t(round_shift(a * b, 32)));
    };
    const int32_t variance_r = std::max(variance(sums.rr, sums.mean_r, sums.mean_r), 0);
    const int32_t variance_d = std::max(variance(sums.dd, sums.mean_d, sums.mean_d), 0);
    const int32_t covariance = variance(sums.rd, sums.mean_r, sums.mean_d);
    if (variance_r < noise) {
        total.flat_variance += variance_d;
        total.flat_count++;
        return;
    }
    total.den_log += log2_of(uint32_t(noise) + uint32_t(variance_r)) - 2048 * 17;
    if (covariance > 0 && variance_d > 0)
        total.num_log += shared_information(variance_r, variance_d, covariance);
}

// Filtered with the next scale's taps, every second sample kept.
Image next_scale(const Image &image, unsigned scale) {
    const auto taps = vif_taps(scale);
    Image next{image.width / 2, image.height / 2, {}, {}, 16, 16};
    std::vector<Sums> row(image.width);
    for (uint32_t y = 0; y < next.height; y++) {
        for (uint32_t x = 0; x < image.width; x++)
            row[x] = filter_column(image, taps, x, 2 * y);
        for (uint32_t x = 0; x < next.width; x++) {
            Sums sums = filter_row(row, taps, 2 * x);
            next.reference.push_back(uint16_t(round_shift(sums.mean_r, 16)));
            next.distorted.push_back(uint16_t(round_shift(sums.mean_d, 16)));
        }
    }
    return next;
}

} // namespace

std::array<VifSums, vif_scales> vif_reference(const Plane &reference, const Plane &distorted) {
    std::array<VifSums, vif_scales> totals;
    Image image = first_scale(reference, distorted);
    for (unsigned scale = 0; scale < vif_scales; scale++) {
        if (scale) image = next_scale(image, scale);
        const auto taps = vif_taps(scale);
        std::vector<Sums> row(image.width);
        for (uint32_t y = 0; y < image.height; y++) {
            for (uint32_t x = 0; x < image.width; x++)
                row[x] = filter_column(image, taps, x, y);
            for (uint32_t x = 0; x < image.width; x++)
                add_sample(filter_row(row, taps, x), totals[scale]);
        }
    }
    return totals;
}

} // namespace v3doff::metrics
