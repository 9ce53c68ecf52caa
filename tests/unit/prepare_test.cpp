// SPDX-License-Identifier: BSD-2-Clause
// What is prepared when a device is opened is what pictures need: none of them makes a pipeline.
#include "policy/families.hpp"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#include "any_device.hpp"
#include "api/handles.hpp"
#include "api_handles.hpp"
#include "generators/random_h264_words.h"
#include "generators/random_words.h"
#include "util/fault.hpp"
#include "v3doff/v3doff.h"
#include "variable.hpp"
#include "vk/pipelines.hpp"

using namespace v3doff;

namespace {

constexpr PictureFormat format{256, 192, 8, V3DOFF_CHROMA_420};

void record_loopfilter(v3doff_picture *picture) {
    std::vector<v3doff_vp9_superblock> superblocks((format.width / 64) * (format.height / 64));
    for (auto &superblock : superblocks) {
        std::fill_n(superblock.level, 64, uint8_t(20));
        for (auto &direction : superblock.mask[0])
            direction[4][0] = direction[5][1] = direction[6][2] = direction[7][3] = 0x10;
    }
    EXPECT_EQ(v3doff_vp9_record_loopfilter(picture, 0, superblocks.data(), superblocks.size()),
              V3DOFF_OK);
}

void record_vp9_words(v3doff_picture *picture, v3doff_picture *reference) {
    const random_words what{format.width, format.height, format.chroma, reference != nullptr, 0, 1};
    EXPECT_EQ(append_random_words(picture, 0, &what, 0, format.width / 64), V3DOFF_OK);
    v3doff_vp9_picture_info info = random_words_info(&what);
    info.reference[0] = reference;
    EXPECT_EQ(v3doff_vp9_record_picture(picture, &info), V3DOFF_OK);
    record_loopfilter(picture);
}

// words: the picture that gets them, which only the deblocked picture may be without.
void record_h264(v3doff_picture *picture, v3doff_picture *words, v3doff_picture *reference,
                 bool mbaff) {
    const random_h264_words what{format.width,
                                 format.height,
                                 format.chroma,
                                 8,
                                 reference != nullptr,
                                 1,
                                 V3DOFF_H264_FRAME,
                                 0,
                                 mbaff};
    random_h264_picture *of = make_random_h264_picture(&what);
    EXPECT_EQ(append_random_h264_slices(words, 0, of, 0, 1), V3DOFF_OK);
    EXPECT_EQ(
        v3doff_h264_record_rows(picture, V3DOFF_H264_FRAME, &of->arrays, 0, V3DOFF_H264_ALL_ROWS),
        V3DOFF_OK);
    of->info.reference[0] = reference;
    if (words == picture) {
        EXPECT_EQ(v3doff_h264_record_picture(picture, &of->info), V3DOFF_OK);
    }
    free_random_h264_picture(&of);
}

void record_family(v3doff_family family, bool mbaff, v3doff_picture *picture,
                   v3doff_picture *other) {
    int16_t coefficients[64] = {160, 40};
    switch (family) {
    case V3DOFF_FAMILY_VP9_ITX:
        EXPECT_EQ(v3doff_vp9_record_itx(picture, 0, 0, 8, 8, V3DOFF_VP9_TX_8X8, V3DOFF_VP9_DCT_DCT,
                                        64, coefficients),
                  V3DOFF_OK);
        return;
    case V3DOFF_FAMILY_VP9_LOOPFILTER:
        return record_loopfilter(picture);
    case V3DOFF_FAMILY_VP9_RECONSTRUCTION:
        return record_vp9_words(picture, other);
    case V3DOFF_FAMILY_VP9_INTRA:
        return record_vp9_words(picture, nullptr);
    case V3DOFF_FAMILY_H264_IDCT:
        EXPECT_EQ(v3doff_h264_record_idct(picture, 0, 0, 8, 8, V3DOFF_H264_FRAME_ROWS,
                                          V3DOFF_H264_IDCT_4X4, coefficients),
                  V3DOFF_OK);
        return;
    case V3DOFF_FAMILY_H264_DEBLOCK:
        return record_h264(picture, other, nullptr, mbaff);
    case V3DOFF_FAMILY_H264_RECONSTRUCTION:
        return record_h264(picture, picture, other, mbaff);
    default:
        return record_h264(picture, picture, nullptr, mbaff);
    }
}

void expect_done_by_gpu(v3doff_device *device, v3doff_family family, bool mbaff) {
    const OwnedPool pool = open_pool(device, format);
    const OwnedPicture other = open_picture(pool), picture = open_picture(pool);
    record_family(family, mbaff, picture.get(), other.get());
    expect_done_by(V3DOFF_EXECUTOR_GPU, picture.get());
}

} // namespace

class Prepare : public testing::TestWithParam<v3doff_family> {
  protected:
    // How many pipelines there are, prepared and after a picture of the family.
    void check(bool mbaff = false) {
        v3doff_device_info info{};
        info.prepare = 1u << GetParam();
        info.prepare_bit_depth = format.bit_depth;
        info.prepare_chroma = format.chroma;
        info.prepare_mbaff = mbaff;
        const OwnedDevice device = open_handle(V3DOFF_MODE_FORCE, info);
        if (!device) GTEST_SKIP() << "no Vulkan device here";
        vk::Device &vulkan = *api::resolve(device.get(), "device")->vulkan;
        const size_t prepared = vulkan.pipelines().made();
        EXPECT_GT(prepared, 0u);
        expect_done_by_gpu(device.get(), GetParam(), mbaff);
        // VP9's random words have coefficients that no encoder writes; their shader is made when it
        // is needed.
        const bool more = GetParam() == V3DOFF_FAMILY_VP9_RECONSTRUCTION;
        EXPECT_EQ(vulkan.pipelines().made(), prepared + more);
    }
};

TEST_P(Prepare, IsAllThatAPictureNeeds) {
    check();
}

TEST_P(Prepare, IsAllThatMbaffFramesNeed) {
    check(true);
}

TEST_P(Prepare, InLocalMemoryToo) {
    const DebugSetting local("local_memory=on");
    check();
}

TEST_P(Prepare, IsNothingForOtherFormats) {
    const auto device = open_any_device();
    if (!device) GTEST_SKIP() << "no Vulkan device here";
    // VP9 has no 14 bits, H.264 no 4:4:0.
    make_pipelines(*device, {1u << GetParam(), {64, 64, 14, V3DOFF_CHROMA_440}});
    EXPECT_EQ(device->pipelines().made(), 0u);
}

TEST_P(Prepare, StopsWhereNobodyWantsTheDevice) {
    const auto device = open_any_device();
    if (!device) GTEST_SKIP() << "no Vulkan device here";
    const std::atomic<bool> stop = true;
    make_pipelines(*device, {1u << GetParam(), format}, &stop);
    EXPECT_EQ(device->pipelines().made(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Families, Prepare,
                         testing::Values(V3DOFF_FAMILY_VP9_ITX, V3DOFF_FAMILY_VP9_LOOPFILTER,
                                         V3DOFF_FAMILY_H264_IDCT, V3DOFF_FAMILY_H264_DEBLOCK,
                                         V3DOFF_FAMILY_VP9_RECONSTRUCTION, V3DOFF_FAMILY_VP9_INTRA,
                                         V3DOFF_FAMILY_H264_RECONSTRUCTION,
                                         V3DOFF_FAMILY_H264_INTRA));

// As while one thread prepares what another decoder needs.
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
