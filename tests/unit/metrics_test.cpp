// SPDX-License-Identifier: BSD-2-Clause
// Quality metrics without a device: the parallel float sum, the plan of a frame, refusals.
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "metrics/frame_plan.hpp"
#include "metrics/motion.hpp"
#include "metrics/psnr.hpp"
#include "metrics/psnr_hvs_sum.hpp"
#include "metrics/session.hpp"
#include "metrics/ssim.hpp"
#include "util/error.hpp"

namespace v3doff::metrics {
namespace {

using Terms = std::array<float, psnr_hvs_terms>;

// Terms of every size, and many that lie in the middle between two units.
std::vector<Terms> random_windows(std::mt19937 &random, size_t count) {
    std::vector<Terms> windows(count);
    const int spread = int(random() % 20);
    for (Terms &terms : windows)
        for (float &term : terms) {
            const int exponent = int(random() % (unsigned(spread) + 1)) - 4;
            term =
                random() % 4 == 0 ? 0 : std::ldexp(float(random() % 64 + (random() & 1)), exponent);
        }
    return windows;
}

TEST(PsnrHvsSum, IsTheSerialSumWhateverIsExpected) {
    std::mt19937 random(5);
    size_t fast = 0;
    for (int round = 0; round < 200; round++) {
        const auto windows = random_windows(random, 300);
        float serial = 0;
        std::vector<PsnrHvsSummary> summaries;
        for (const Terms &terms : windows) {
            // Mostly the right exponent, at times its neighbours.
            const uint32_t own = std::bit_cast<uint32_t>(serial) >> 23;
            const uint32_t off = random() % 8 ? 1 : random() % 3;
            summaries.push_back(psnr_hvs_summary(terms, own ? own + off - 1 : 0));
            for (float term : terms)
                serial += term;
        }
        size_t slow = 0;
        const float sum = psnr_hvs_sum(
            summaries,
            [&](size_t n, std::span<float, psnr_hvs_terms> terms) {
                std::copy(windows[n].begin(), windows[n].end(), terms.begin());
            },
            &slow);
        EXPECT_EQ(std::bit_cast<uint32_t>(sum), std::bit_cast<uint32_t>(serial)) << round;
        fast += windows.size() - slow;
    }
    EXPECT_GT(fast, 200u * 300u / 2); // otherwise nothing was tried
}

TEST(PsnrHvsSum, WindowsWithoutTermsChangeNothing) {
    const PsnrHvsSummary none{0, 128u << 8};
    const std::vector<PsnrHvsSummary> windows(1000, none);
    const float sum = psnr_hvs_sum(
        windows, [](size_t, std::span<float, psnr_hvs_terms>) { FAIL() << "asked for terms"; });
    EXPECT_EQ(sum, 0);
    EXPECT_TRUE(std::isinf(psnr_hvs_db(psnr_hvs_error(sum, 64, 64, 8))));
}

Config config_of(uint32_t width, uint32_t height, uint32_t depth, v3doff_chroma chroma,
                 uint32_t metrics = V3DOFF_METRIC_ALL) {
    return {{width, height, depth, chroma}, metrics};
}

TEST(FramePlan, StaysWithinTheBufferRangeOfSmallDevices) {
    const size_t range = size_t(128) << 20;
    for (auto chroma : {V3DOFF_CHROMA_420, V3DOFF_CHROMA_422, V3DOFF_CHROMA_444})
        for (auto [width, height] : {std::pair{16u, 16u}, {1920u, 1080u}, {8192u, 4320u}}) {
            const Config config = config_of(width, height, 12, chroma);
            const FramePlan plan = plan_frame(config, false, range / 4);
            EXPECT_LE(plan.scratch_words * 4, range);
            for (const Phase &phase : plan.phases)
                for (const Step &step : phase.steps)
                    for (uint32_t groups : step.dispatch.groups) {
                        EXPECT_GT(groups, 0u);
                        EXPECT_LE(groups, 65535u);
                    }
            for (unsigned p = 0; p < 3; p++)
                EXPECT_LE(size_t(plan.stride[p]) * config.format.plane_height(p) * 4 + 16, range);
        }
    EXPECT_THROW(plan_frame(config_of(8192, 4320, 8, V3DOFF_CHROMA_420), false, 1 << 20), Error);
}

TEST(FramePlan, BandsGiveWholePictures) {
    const FramePlan small = plan_frame(config_of(8192, 4320, 8, V3DOFF_CHROMA_420), false, 1 << 25);
    size_t windows = 0, groups = 0;
    for (const ResultRange &range : small.psnr_hvs)
        windows += range.count / 2;
    EXPECT_EQ(windows, 1170u * 617u + 2u * 585u * 308u);
    EXPECT_GT(small.vif[0].size(), 1u);
    for (const ResultRange &range : small.vif[0])
        groups += range.count / 5;
    EXPECT_EQ(groups, 128u * 1080u); // of 64x4 samples
}

TEST(FramePlan, TheFirstFrameHasNoMotion) {
    const Config config = config_of(64, 64, 8, V3DOFF_CHROMA_420, V3DOFF_METRIC_MOTION);
    EXPECT_EQ(plan_frame(config, true, 1 << 25).phases.size(), 0u);
    EXPECT_EQ(plan_frame(config, false, 1 << 25).phases.size(), 1u);
}

v3doff_result refusal(const Config &config) {
    try {
        check_config(config);
    } catch (const Error &problem) {
        return problem.code();
    }
    return V3DOFF_OK;
}

TEST(MetricsConfig, RefusesWhatHasNoMeaning) {
    EXPECT_EQ(refusal(config_of(16, 16, 8, V3DOFF_CHROMA_420)), V3DOFF_OK);
    EXPECT_EQ(refusal(config_of(8192, 4320, 12, V3DOFF_CHROMA_444)), V3DOFF_OK);
    EXPECT_EQ(refusal(config_of(15, 16, 8, V3DOFF_CHROMA_420)), V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(refusal(config_of(16, 15, 8, V3DOFF_CHROMA_420)), V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(refusal(config_of(8193, 4320, 8, V3DOFF_CHROMA_420)), V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(refusal(config_of(64, 64, 14, V3DOFF_CHROMA_420)), V3DOFF_ERROR_UNSUPPORTED);
    EXPECT_EQ(refusal(config_of(64, 64, 8, V3DOFF_CHROMA_400)), V3DOFF_ERROR_UNSUPPORTED);
    EXPECT_EQ(refusal(config_of(64, 64, 8, V3DOFF_CHROMA_400, V3DOFF_METRIC_VIF)), V3DOFF_OK);
    EXPECT_EQ(refusal(config_of(64, 64, 8, V3DOFF_CHROMA_420, 0)), V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(refusal(config_of(64, 64, 8, V3DOFF_CHROMA_420, 32)), V3DOFF_ERROR_INVALID_ARGUMENT);
}

TEST(Metrics, KnownValues) {
    EXPECT_DOUBLE_EQ(psnr_score(64 * 64, 64, 64, 8), 20 * std::log10(255.));
    EXPECT_DOUBLE_EQ(psnr_score(0, 64, 64, 10), 72);
    std::vector<std::byte> dark(32 * 32, std::byte(16)), light(32 * 32, std::byte(216));
    const Plane a{dark.data(), 32, 32, 32, 8}, b{light.data(), 32, 32, 32, 8};
    EXPECT_EQ(psnr_reference(a, b), 32u * 32u * 200u * 200u);
    EXPECT_EQ(ssim_score(ssim_reference(a, a), 32, 32), 1);
    // Flat planes: only the luminance term is left, here rounded down to 2^-22.
    const double c1 = 2.55 * 2.55;
    EXPECT_NEAR(ssim_score(ssim_reference(a, b), 32, 32),
                (2 * 16. * 216 + c1) / (16. * 16 + 216. * 216 + c1), 3e-7);
    // The blur of a flat difference is that difference, in units of 1/256.
    EXPECT_EQ(motion_reference(a, b), 32u * 32u * 200u * 256u);
    EXPECT_EQ(motion_score(motion_reference(a, b), 32, 32), 200);
}

} // namespace
} // namespace v3doff::metrics
