// SPDX-License-Identifier: BSD-2-Clause
// The quality metrics' floating point gives the same bits at every level of optimisation: this file
// and the metrics' sources are compiled several times, see meson.build.
#include <bit>
#include <gtest/gtest.h>
#include <vector>

#include "metrics/psnr_hvs.hpp"
#include "metrics/vif.hpp"
#include "util/rounding.hpp"

namespace v3doff::metrics {
namespace {

// A generator that is the same with every standard library.
class Random {
  public:
    uint64_t bits(unsigned count) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return state_ >> (64 - count);
    }

  private:
    uint64_t state_ = 1;
};

// Rounds to nearest even with integers alone, which no compiler changes.
double nearest_float(double value) {
    constexpr unsigned dropped = 53 - 24;
    uint64_t bits = std::bit_cast<uint64_t>(value);
    bits += (uint64_t(1) << (dropped - 1)) - 1 + (bits >> dropped & 1);
    return std::bit_cast<double>(bits >> dropped << dropped);
}

TEST(Rounding, ToFloatIsToNearestEven) {
    Random random;
    for (int i = 0; i < 10000; i++) {
        const double value = double(random.bits(60)) / 1000;
        EXPECT_EQ(double(rounded_to_float(value)), nearest_float(value));
    }
}

// volatile: an optimiser that removed a rounding from both sides would not be noticed.
double sum_of(const double (&terms)[vif_scales]) {
    volatile double sum = 0;
    for (double term : terms)
        sum = sum + term;
    return sum;
}

TEST(Rounding, VifSumsWhatWasRounded) {
    Random random;
    for (int round = 0; round < 1000; round++) {
        std::array<VifSums, vif_scales> sums;
        for (VifSums &sum : sums)
            sum = {int64_t(random.bits(40)), int64_t(random.bits(40)), int64_t(random.bits(36)),
                   int64_t(random.bits(13))};
        const VifScore score = vif_score(sums);
        double num[vif_scales], den[vif_scales];
        for (unsigned s = 0; s < vif_scales; s++) {
            const VifSums &sum = sums[s];
            const double flat =
                double(sum.flat_count) - double(sum.flat_variance) / 16384.0 / 65025.0;
            num[s] = nearest_float(double(sum.num_log) / 2048.0 + flat);
            den[s] = nearest_float(double(sum.den_log) / 2048.0 + double(sum.flat_count));
            EXPECT_EQ(score.scale_num[s], num[s]);
            EXPECT_EQ(score.scale_den[s], den[s]);
            EXPECT_EQ(score.scale[s], nearest_float(num[s] / den[s]));
        }
        EXPECT_EQ(score.num, sum_of(num));
        EXPECT_EQ(score.den, sum_of(den));
        EXPECT_EQ(score.score, sum_of(num) / sum_of(den));
    }
}

struct Pair {
    std::vector<uint16_t> reference, distorted;
    Plane plane(const std::vector<uint16_t> &samples) const {
        return {reinterpret_cast<const std::byte *>(samples.data()), 2 * 97, 97, 61, 10};
    }
};

// Slopes, an edge, and noise.
Pair some_pair() {
    Random random;
    Pair pair;
    for (unsigned y = 0; y < 61; y++)
        for (unsigned x = 0; x < 97; x++) {
            const unsigned value = 200 + 3 * x + 2 * y + (x > 50 ? 200 : 0);
            pair.reference.push_back(uint16_t(value + random.bits(6)));
            pair.distorted.push_back(uint16_t(value + random.bits(6)));
        }
    return pair;
}

uint64_t hash(uint64_t hash, uint64_t value) {
    return (hash ^ value) * 0x100000001b3u;
}

// Of every window of a plane; in the plane's sum most differences of a last bit are lost.
uint64_t hash_of_terms(const Plane &reference, const Plane &distorted, unsigned plane) {
    uint64_t result = 0;
    for (uint32_t y = 0; y < psnr_hvs_windows(reference.height); y++)
        for (uint32_t x = 0; x < psnr_hvs_windows(reference.width); x++) {
            float terms[psnr_hvs_terms];
            psnr_hvs_window(reference, distorted, x * psnr_hvs_step, y * psnr_hvs_step,
                            psnr_hvs_tables(plane), terms);
            for (float term : terms)
                result = hash(result, std::bit_cast<uint32_t>(term));
        }
    return result;
}

// The values are those of builds without optimisation, which agree with libvmaf's
// (tests/metrics/parity_test).
TEST(Rounding, KnownBits) {
    const Pair pair = some_pair();
    const Plane reference = pair.plane(pair.reference), distorted = pair.plane(pair.distorted);
    const uint32_t sums[3] = {1243480926, 1240518232, 1240803004};
    const uint64_t terms[3] = {5776412944050330751u, 13724798166125749623u, 3864227840707233325u};
    for (unsigned plane = 0; plane < 3; plane++) {
        EXPECT_EQ(hash_of_terms(reference, distorted, plane), terms[plane]) << plane;
        const float sum = psnr_hvs_reference(reference, distorted, plane);
        EXPECT_EQ(std::bit_cast<uint32_t>(sum), sums[plane]) << plane;
        const double error = psnr_hvs_error(sum, 97, 61, 10);
        EXPECT_EQ(error, nearest_float(error)) << plane;
    }
    uint64_t tables = 0;
    for (unsigned plane = 0; plane < 3; plane++)
        for (unsigned i = 0; i < 64; i++) {
            const double wide = double(psnr_hvs_tables(plane).sensitivity[i]) * 0.3885746225901003;
            EXPECT_EQ(double(psnr_hvs_tables(plane).masking[i]), nearest_float(wide * wide));
            tables = hash(tables, std::bit_cast<uint32_t>(psnr_hvs_tables(plane).masking[i]));
        }
    EXPECT_EQ(tables, 10875791679804534569u);
    uint64_t logarithms = 0;
    for (uint16_t value : vif_log2_table())
        logarithms = hash(logarithms, value);
    EXPECT_EQ(logarithms, 4465186882885025235u);
    uint64_t vif = 0;
    for (const VifSums &sum : vif_reference(reference, distorted))
        for (int64_t value : {sum.num_log, sum.den_log, sum.flat_variance, sum.flat_count})
            vif = hash(vif, uint64_t(value));
    EXPECT_EQ(vif, 14235732673070741467u);
}

} // namespace
} // namespace v3doff::metrics
