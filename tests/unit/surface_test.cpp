// SPDX-License-Identifier: BSD-2-Clause
// What the CPU reads of a picture is cached memory, on a device that has none of its own too.
#include <cstdlib>
#include <future>
#include <gtest/gtest.h>

#include "any_device.hpp"
#include "picture/picture.hpp"
#include "util/error.hpp"
#include "util/fault.hpp"
#include "util/log.hpp"
#include "variable.hpp"

using namespace v3doff;

namespace {

// A device as the environment makes it look; null where this machine has none at all.
std::shared_ptr<vk::Device> open_with(const char *faults) {
    setenv("V3DOFF_FAULT", faults, 1);
    fault::reload();
    return open_any_device();
}

struct SurfaceTest : testing::Test {
    void TearDown() override {
        unsetenv("V3DOFF_FAULT");
        fault::reload();
    }
    const PictureLayout layout = lay_out({64, 64, 8, V3DOFF_CHROMA_420});
};

constexpr v3doff_memory_path all_paths[] = {V3DOFF_MEMORY_AUTO,        V3DOFF_MEMORY_UDMABUF,
                                            V3DOFF_MEMORY_DMA_HEAP,    V3DOFF_MEMORY_HOST_IMPORT,
                                            V3DOFF_MEMORY_HOST_CACHED, V3DOFF_MEMORY_STAGING};

} // namespace

TEST_F(SurfaceTest, OnlyCachedMemoryIsTaken) {
    auto device = open_with("uncached");
    if (!device) GTEST_SKIP() << "no Vulkan device";
    for (auto path : all_paths) {
        auto memory = Surface::create(device.get(), layout, path);
        EXPECT_TRUE(!memory->gpu() || memory->gpu()->cached()) << path;
        EXPECT_NE(memory->path(), V3DOFF_MEMORY_HOST_CACHED);
    }
}

TEST_F(SurfaceTest, NothingCachedMeansNoGpu) {
    auto device = open_with("uncached,host_import");
    if (!device) GTEST_SKIP() << "no Vulkan device";
    if (device->facts().dma_buf) GTEST_SKIP() << "dma-bufs serve";
    for (auto path : all_paths) {
        auto memory = Surface::create(device.get(), layout, path);
        EXPECT_EQ(memory->gpu(), nullptr) << path;
        EXPECT_EQ(memory->path(), V3DOFF_MEMORY_CPU) << path;
        const PlaneRows rows{};
        memory->give_to_gpu(Surface::Use::all, rows); // no effect, and no crash
        memory->take_from_gpu(Surface::Use::all, rows);
        memory->copy_out(rows);
    }
    EXPECT_THROW(vk::Buffer::create_readable(*device, 4096), Error);
}

TEST_F(SurfaceTest, UncachedMemoryIsNotReadUnlessAllowed) {
    // Not "threadsafe": that starts the program again, which an emulator without binfmt cannot.
    testing::FLAGS_gtest_death_test_style = "fast";
    auto device = open_with("uncached");
    if (!device) GTEST_SKIP() << "no Vulkan device";
    auto upload = vk::Buffer::create(*device, V3DOFF_MEMORY_STAGING, 4096);
    EXPECT_FALSE(upload->cached());
    EXPECT_FALSE(upload->readable());
    EXPECT_DEBUG_DEATH(upload->data_to_read(), "readable"); // a release has no assertions
    const DebugSetting reads("uncached_reads=on");
    auto allowing = open_with("uncached,host_import");
    auto memory = Surface::create(allowing.get(), layout, V3DOFF_MEMORY_STAGING);
    ASSERT_NE(memory->gpu(), nullptr);
    EXPECT_NE(memory->gpu()->data_to_read(), nullptr);
}

TEST_F(SurfaceTest, TheSameLineIsSaidOnce) {
    auto device = open_with("uncached");
    if (!device) GTEST_SKIP() << "no Vulkan device";
    static int lines;
    lines = 0;
    const v3doff_log_callback count = [](void *, v3doff_log_level, const char *line) {
        lines += std::string_view(line).starts_with("memory path udmabuf not taken");
    };
    v3doff_log_add(count, nullptr, V3DOFF_LOG_INFO);
    bool taken = false;
    for (int i = 0; i < 5; i++)
        taken = Surface::create(device.get(), layout, V3DOFF_MEMORY_UDMABUF)->path() ==
                V3DOFF_MEMORY_UDMABUF;
    v3doff_log_remove(count, nullptr);
    EXPECT_EQ(lines, taken ? 0 : 1);
}

// Another picture's submit may read samples that are not there yet once what makes them is on the
// queue, and not before.
TEST_F(SurfaceTest, WhoPredictsWaitsForTheQueue) {
    auto device = open_any_device();
    if (!device) GTEST_SKIP() << "no Vulkan device";
    auto surface = Surface::create(device.get(), layout, V3DOFF_MEMORY_AUTO);
    const auto lend = [&] {
        return std::async(std::launch::async, [&] { surface->lend_to_gpu(); });
    };
    const auto waits = [](std::future<void> &lent) {
        return lent.wait_for(std::chrono::milliseconds(20)) == std::future_status::timeout;
    };
    surface->begin_submit();
    auto lent = lend();
    EXPECT_TRUE(waits(lent));
    surface->queued(false);
    lent.get();
    EXPECT_EQ(surface->failed_submits(), 0u);
    surface->submit_failed();
    EXPECT_EQ(surface->failed_submits(), 1u);
    surface->submit_failed(); // of another submission of the picture
    EXPECT_EQ(surface->failed_submits(), 1u);
    lent = lend();
    EXPECT_TRUE(waits(lent)); // for the CPU
    surface->end_submit();
    lent.get();
}

// The copy in the device's own memory is read in place of the samples only while it is the same.
TEST_F(SurfaceTest, TheDeviceCopyHoldsWhatAWholePictureMade) {
    auto device = open_any_device();
    if (!device) GTEST_SKIP() << "no Vulkan device";
    auto surface = Surface::create(device.get(), layout, V3DOFF_MEMORY_AUTO);
    const auto make = [&](bool on_device_copy) {
        surface->begin_submit();
        EXPECT_FALSE(surface->device_copy_holds());
        surface->queued(on_device_copy);
        EXPECT_EQ(surface->device_copy_holds(), on_device_copy);
    };
    make(true);
    surface->end_submit();
    EXPECT_TRUE(surface->device_copy_holds());
    surface->changed();
    EXPECT_FALSE(surface->device_copy_holds());
    make(true);
    surface->submit_failed();
    EXPECT_FALSE(surface->device_copy_holds());
    surface->end_submit();
    surface->lend_to_gpu();
    EXPECT_FALSE(surface->device_copy_holds());
    make(false);
    surface->end_submit();
    EXPECT_FALSE(surface->device_copy_holds());
}

// A program that brings its own memory brings other planes for each picture.
TEST_F(SurfaceTest, CopiesOfPlanesServeOtherPlanes) {
    auto device = open_with("");
    if (!device) GTEST_SKIP() << "no Vulkan device";
    const auto pool = std::make_shared<Pool>(device, PoolKind{layout.format, 3});
    std::vector<std::byte> memory[4];
    const auto open = [&](unsigned number) {
        memory[number].resize(layout.bytes);
        PictureView planes;
        planes.format = layout.format;
        planes.one_allocation = false;
        for (unsigned p = 0; p < 3; p++) {
            const PlaneLayout &plane = layout.plane[p];
            planes.plane[p] = {memory[number].data() + plane.offset, ptrdiff_t(plane.stride),
                               plane.width, plane.height, plane.width, plane.height};
        }
        Picture *picture = pool->open(&planes);
        EXPECT_EQ(picture->view().plane[0].data, memory[number].data());
        EXPECT_EQ(picture->as_surface()->path(), V3DOFF_MEMORY_STAGING);
        return picture;
    };
    const auto copy = [](Picture *picture) { return picture->as_surface()->gpu()->id(); };

    Picture *first = open(0), *second = open(1);
    const uint64_t copies[2] = {copy(first), copy(second)};
    EXPECT_NE(copies[0], copies[1]);
    pool->close(first);
    Picture *third = open(2);
    EXPECT_EQ(copy(third), copies[0]);

    const std::shared_ptr<Surface> read = second->as_surface(); // as a picture that predicts from it
    pool->close(second);
    Picture *fourth = open(3);
    EXPECT_NE(copy(fourth), copies[1]);
    pool->close(third);
    pool->close(fourth);
}
