// SPDX-License-Identifier: BSD-2-Clause
// What is prepared when a device is opened is what pictures need: none of them makes a pipeline.
#include "policy/prepare.hpp"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#include "any_device.hpp"
#include "h264/trial.hpp"
#include "picture/pool.hpp"
#include "trial_picture.hpp"
#include "util/fault.hpp"
#include "v3doff/recipe.h"
#include "variable.hpp"
#include "vk/pipelines.hpp"
#include "vp9/trial.hpp"

using namespace v3doff;

namespace {

Trial trial_of(v3doff_family family) {
    switch (family) {
    case V3DOFF_FAMILY_VP9_ITX:
        return vp9::residual_trial(0, {});
    case V3DOFF_FAMILY_VP9_LOOPFILTER:
        return vp9::filter_trial(0, {});
    case V3DOFF_FAMILY_VP9_RECONSTRUCTION:
        return vp9::reconstruction_trial(0, {}, nullptr);
    case V3DOFF_FAMILY_VP9_INTRA:
        return vp9::intra_trial(0, {}, nullptr);
    case V3DOFF_FAMILY_H264_IDCT:
        return h264::residual_trial(0, {});
    case V3DOFF_FAMILY_H264_RECONSTRUCTION:
        return h264::reconstruction_trial(0, {}, {});
    case V3DOFF_FAMILY_H264_INTRA:
        return h264::intra_trial(0, {}, {});
    default:
        return h264::filter_trial(0, {});
    }
}

} // namespace

class Prepare : public testing::TestWithParam<v3doff_family> {
  protected:
    // How many pipelines there are, prepared and after a picture of the family.
    void check() {
        const auto device = open_any_device();
        if (!device) GTEST_SKIP() << "no Vulkan device here";
        const Trial trial = trial_of(GetParam());
        prepare(*device, {1u << GetParam(), trial.format});
        const size_t prepared = device->pipelines().made();
        EXPECT_GT(prepared, 0u);
        const auto pool = std::make_shared<Pool>(device, PoolKind{trial.format, 2});
        expect_done_by_gpu(*pool, trial);
        EXPECT_EQ(device->pipelines().made(), prepared);
    }
};

TEST_P(Prepare, IsAllThatAPictureNeeds) {
    check();
}

TEST_P(Prepare, InLocalMemoryToo) {
    const DebugSetting local("local_memory=on");
    check();
}

TEST_P(Prepare, IsNothingForOtherFormats) {
    const auto device = open_any_device();
    if (!device) GTEST_SKIP() << "no Vulkan device here";
    // VP9 has no 14 bits, H.264 no 4:4:0.
    prepare(*device, {1u << GetParam(), {64, 64, 14, V3DOFF_CHROMA_440}});
    EXPECT_EQ(device->pipelines().made(), 0u);
}

TEST_P(Prepare, StopsWhereNobodyWantsTheDevice) {
    const auto device = open_any_device();
    if (!device) GTEST_SKIP() << "no Vulkan device here";
    const std::atomic<bool> stop = true;
    prepare(*device, {1u << GetParam(), trial_of(GetParam()).format}, &stop);
    EXPECT_EQ(device->pipelines().made(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Families, Prepare,
                         testing::Values(V3DOFF_FAMILY_VP9_ITX, V3DOFF_FAMILY_VP9_LOOPFILTER,
                                         V3DOFF_FAMILY_H264_IDCT, V3DOFF_FAMILY_H264_DEBLOCK,
                                         V3DOFF_FAMILY_VP9_RECONSTRUCTION, V3DOFF_FAMILY_VP9_INTRA,
                                         V3DOFF_FAMILY_H264_RECONSTRUCTION,
                                         V3DOFF_FAMILY_H264_INTRA));

// As while a recipe is measured and a decoder makes pictures.
TEST(Pipelines, OneThatIsMadeKeepsNoOtherWaiting) {
    const auto device = open_any_device();
    if (!device) GTEST_SKIP() << "no Vulkan device here";
    const uint32_t here = vk::shader_index("copy_in"), slow = vk::shader_index("copy_out");
    device->pipelines().get(here);
    setenv("V3DOFF_FAULT", "slow_shader", 1);
    fault::reload();
    std::thread other([&] { device->pipelines().get(slow); });
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    auto longest = Clock::duration::zero();
    while (device->pipelines().made() < 2) {
        const auto before = Clock::now();
        device->pipelines().get(here);
        longest = std::max(longest, Clock::now() - before);
    }
    EXPECT_GE(Clock::now() - start, std::chrono::milliseconds(90)) << "the fault does nothing";
    // Who waits for the other pipeline waits nearly all of the 100 ms. Busy cores cost up to 60.
    EXPECT_LT(longest, std::chrono::milliseconds(85));
    other.join();
    unsetenv("V3DOFF_FAULT");
    fault::reload();
}
