// SPDX-License-Identifier: BSD-2-Clause
// Pools that nobody uses stay with a device that is kept: who makes one of the same kind gets the
// memory, with zeros in it, whichever codec it is for; not for ever, and not more than so much.
#include "policy/idle_pools.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "any_device.hpp"
#include "h264/residual/calls.hpp"
#include "picture/picture.hpp"
#include "vp9/residual/calls.hpp"

using namespace v3doff;

namespace {

constexpr PictureFormat small{128, 128, 8, V3DOFF_CHROMA_420};

// No other test's.
std::shared_ptr<vk::Device> open_kept_device() {
    static unsigned limit_ms = 60000;
    return open_any_device({.submit_timeout_ms = ++limit_ms, .keep = true});
}

// The samples of a picture that nothing was made of yet; then they are not zero.
struct Samples {
    const std::byte *at;
    bool zero;
};

Samples use(Pool &pool) {
    Picture *picture = pool.open(nullptr);
    const PlaneView &luma = picture->view().plane[0];
    std::byte *data = luma.data, *end = data + luma.stride * ptrdiff_t(luma.height);
    const bool zero = std::all_of(data, end, [](std::byte sample) { return !int(sample); });
    std::fill(data, end, std::byte(77));
    pool.close(picture);
    return {data, zero};
}

} // namespace

TEST(IdlePools, WhoNeedsTheSameGetsTheMemory) {
    const auto device = open_kept_device();
    if (!device) GTEST_SKIP() << "no Vulkan device here";
    auto pool = IdlePools::open(device, {small, 2});
    const Samples first = use(*pool);
    EXPECT_TRUE(first.zero);
    pool.reset();
    auto larger = IdlePools::open(device, {{192, 128, 8, V3DOFF_CHROMA_420}, 2});
    auto more = IdlePools::open(device, {small, 3});
    EXPECT_NE(use(*larger).at, first.at);
    EXPECT_NE(use(*more).at, first.at);
    pool = IdlePools::open(device, {small, 2});
    const Samples second = use(*pool);
    EXPECT_EQ(second.at, first.at);
    EXPECT_TRUE(second.zero) << "somebody else's samples";
    EXPECT_FALSE(use(*pool).zero); // one's own are left as they are
    EXPECT_NE(use(*IdlePools::open(device, {small, 2})).at, first.at); // that one is in use
}

TEST(IdlePools, ADecoderOfAnotherCodecMayCome) {
    const auto device = open_kept_device();
    if (!device) GTEST_SKIP() << "no Vulkan device here";
    const std::byte *first = nullptr;
    for (bool vp9 : {true, false, true}) {
        const auto pool = IdlePools::open(device, {small, 1});
        Picture *picture = pool->open(nullptr);
        alignas(64) int16_t values[64] = {160};
        if (vp9)
            picture->stage<vp9::ResidualCalls>(Slot::transform)
                .record(0, picture->view(), {0, 0, 0, 1, 0, 1, values}, values);
        else {
            auto &calls = picture->stage<h264::ResidualCalls>(Slot::transform);
            calls.reserve(0, picture->view(), 1);
            calls.record(0, picture->view(),
                         {{0, 0, 0, 0}, h264::ResidualKind::residual_4x4, values});
        }
        picture->submit({});
        EXPECT_EQ(picture->wait(UINT64_MAX), V3DOFF_OK);
        v3doff_picture_report report{};
        picture->fill_report(report);
        EXPECT_EQ(report.executor, V3DOFF_EXECUTOR_GPU) << report.reason;
        pool->close(picture);
        const std::byte *at = use(*pool).at;
        EXPECT_EQ(at, std::exchange(first, at) ? at : first);
    }
}

TEST(IdlePools, ComeAndGoWithTheDevice) {
    auto device = open_kept_device();
    if (!device) GTEST_SKIP() << "no Vulkan device here";
    const vk::DeviceOptions options = device->options();
    auto pool = IdlePools::open(device, {small, 1});
    Picture *picture = pool->open(nullptr); // a frame that is shown after its decoder has ended
    const std::byte *at = picture->view().plane[0].data;
    const std::weak_ptr<vk::Device> open = device;
    device.reset();
    const Pool &used = *pool;
    pool.reset();
    EXPECT_FALSE(open.expired());
    const_cast<Pool &>(used).close(picture);
    EXPECT_TRUE(open.expired()); // what is kept with it does not keep it
    device = open_any_device(options);
    EXPECT_EQ(use(*IdlePools::open(device, {small, 1})).at, at);
}

TEST(IdlePools, AreNotKeptWhereTheDeviceIsNot) {
    const auto device = open_any_device();
    if (!device) GTEST_SKIP() << "no Vulkan device here";
    std::weak_ptr<Pool> pool = IdlePools::open(device, {small, 1});
    EXPECT_TRUE(pool.expired());
    EXPECT_EQ(device->companion<IdlePools>().take({small, 1}), nullptr);
}

TEST(IdlePools, GoAfterAWhile) {
    IdlePools idle;
    const auto now = IdlePools::Clock::now();
    const PoolKind old{small, 1}, recent{small, 2};
    idle.give(std::make_unique<Pool>(nullptr, old), now - IdlePools::how_long);
    idle.give(std::make_unique<Pool>(nullptr, recent), now);
    idle.drop_old();
    EXPECT_EQ(idle.take(old), nullptr);
    EXPECT_NE(idle.take(recent), nullptr);
    EXPECT_EQ(idle.take(recent), nullptr);
}

TEST(IdlePools, TheOldestMakeRoom) {
    IdlePools idle;
    const auto give = [&](unsigned pictures) {
        // 12 MB each.
        const PoolKind kind{{3840, 2160, 8, V3DOFF_CHROMA_420}, pictures};
        const std::shared_ptr<Pool> pool(new Pool(nullptr, kind), [&](Pool *unused) {
            idle.give(std::unique_ptr<Pool>(unused));
        });
        std::vector<Picture *> open;
        for (unsigned i = 0; i < pictures; i++)
            open.push_back(pool->open(nullptr));
        for (Picture *picture : open)
            pool->close(picture);
        return kind;
    };
    const PoolKind first = give(4), second = give(5), third = give(3);
    EXPECT_EQ(idle.take(first), nullptr);
    const PoolKind alone = give(11); // more than there is room for
    EXPECT_EQ(idle.take(alone), nullptr);
    EXPECT_NE(idle.take(second), nullptr);
    EXPECT_NE(idle.take(third), nullptr);
}

TEST(IdlePools, AreNotMoreThanSoMany) {
    IdlePools idle;
    for (unsigned i = 1; i <= IdlePools::most_pools + 1; i++)
        idle.give(std::make_unique<Pool>(nullptr, PoolKind{small, i}));
    EXPECT_EQ(idle.take({small, 1}), nullptr);
    for (unsigned i = 2; i <= IdlePools::most_pools + 1; i++)
        EXPECT_NE(idle.take({small, i}), nullptr) << i;
}
