// SPDX-License-Identifier: BSD-2-Clause
// The copies into the device's own memory and back, of planes that begin and end anywhere: what is
// in the rows arrives there, what changes in them comes back, and nothing beside them is written.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <future>
#include <gtest/gtest.h>

#include "any_device.hpp"
#include "picture/backup.hpp"
#include "picture/device_copy.hpp"
#include "variable.hpp"
#include "vk/commands.hpp"
#include "vk/pipelines.hpp"
#include "vk/timeline.hpp"

using namespace v3doff;

namespace {

struct Waiter final : vk::Pending {
    std::promise<bool> ok;
    void finished(const vk::Outcome &outcome) noexcept override { ok.set_value(outcome.ok); }
};

// Planes in pages of their own, each with a stride and a begin that are multiples of 4 and no more.
struct Planes {
    static constexpr uint32_t width = 72, height = 40;
    alignas(4096) std::array<std::byte, 8192> bytes;
    PictureView view;
    size_t begin[3];

    Planes() {
        view.format = {width, height, 8, V3DOFF_CHROMA_420};
        size_t at = 4;
        for (unsigned p = 0; p < 3; p++) {
            const uint32_t w = p ? width / 2 : width, h = p ? height / 2 : height, stride = w + 4;
            begin[p] = at;
            view.plane[p] = {bytes.data() + at, ptrdiff_t(stride), w, h, w, h};
            at += stride * h + 4;
        }
        for (size_t i = 0; i < bytes.size(); i++)
            bytes[i] = std::byte(i * 37 + i / 256);
    }
};

constexpr std::byte other{0xaa};
constexpr uint32_t first_row[3] = {3, 4, 1}, end_row[3] = {14, 20, 1}; // of the last plane none
constexpr uint32_t arena_words = 2501; // no whole number of what a workgroup copies

class DeviceCopyTest : public testing::Test {
  protected:
    const DebugSetting setting{"local_memory=on"};
    void SetUp() override {
        device = open_any_device();
        if (!device) GTEST_SKIP() << "no Vulkan device";
        memory = Surface::import(device.get(), V3DOFF_MEMORY_AUTO, planes.view);
        if (!memory) GTEST_SKIP() << "planes are not imported";
        ASSERT_TRUE(device_copy::wanted(*device, *memory));
        for (unsigned p = 0; p < 3; p++)
            plan.rows[p].add(first_row[p], end_row[p]);
        arena = vk::Buffer::create_readable(*device, arena_words * 4 + 16);
        arena->begin_cpu_access();
        for (uint32_t i = 0; i < arena_words; i++) {
            plan.arena.push_back(i * i);
            reinterpret_cast<uint32_t *>(arena->data())[i] = i * i;
        }
        arena->end_cpu_access();
        device_arena = vk::Buffer::create_private(*device, arena->size());
        device_copy::make(*device, *memory, plan);
        backup.begin(*device, Backup::bytes_for(memory->map(), plan.rows));
    }

    template <typename Record>
    void run(Record record) {
        vk::Commands commands(*device);
        commands.begin();
        const auto all = [](const vk::Buffer &buffer) { return vk::BufferView(buffer); };
        commands.bind(0, {all(memory->device_copy()),
                          all(*device_arena),
                          {},
                          {},
                          all(*memory->gpu()),
                          all(*arena),
                          all(backup.buffer())});
        record(commands);
        Waiter waiter;
        memory->give_to_gpu(Surface::Use::all, plan.rows);
        ASSERT_EQ(device->timeline().submit(commands, waiter), "");
        ASSERT_TRUE(waiter.ok.get_future().get());
        memory->take_from_gpu(Surface::Use::all, plan.rows);
        memory->copy_out(plan.rows);
    }

    void run(const Dispatch &dispatch) {
        run([&](vk::Commands &commands) { commands.dispatch(dispatch); });
    }

    // How many of the planes' bytes are neither what they were before, in the rows, nor `other`,
    // beside them; with what lies between the rows if they were copied as a whole.
    size_t wrong_bytes(const std::array<std::byte, 8192> &before, bool whole) const {
        std::array<std::byte, 8192> expected;
        expected.fill(other);
        for (unsigned p = 0; p < 3; p++)
            for (uint32_t row = first_row[p]; row < end_row[p]; row++) {
                const PlaneView &plane = planes.view.plane[p];
                const bool last = row + 1 == end_row[p];
                const size_t at = planes.begin[p] + size_t(plane.stride) * row;
                std::memcpy(expected.data() + at, before.data() + at,
                            whole && !last ? size_t(plane.stride) : plane.width);
            }
        size_t wrong = 0;
        for (size_t i = 0; i < expected.size(); i++)
            wrong += expected[i] != planes.bytes[i];
        return wrong;
    }

    Planes planes;
    std::shared_ptr<vk::Device> device;
    std::unique_ptr<Surface> memory;
    std::unique_ptr<vk::Buffer> arena, device_arena;
    Plan plan;
    Backup backup;
};

} // namespace

TEST_F(DeviceCopyTest, PlanesOfDifferentAllocationsAreCopied) {
    PictureView apart = planes.view;
    apart.one_allocation = false;
    for (v3doff_memory_path path : {V3DOFF_MEMORY_AUTO, V3DOFF_MEMORY_HOST_IMPORT}) {
        EXPECT_FALSE(Surface::import(device.get(), path, apart));
        EXPECT_EQ(Surface::stage(device.get(), path, apart)->path(), V3DOFF_MEMORY_STAGING);
    }
}

TEST_F(DeviceCopyTest, RowsComeBackAndNothingElse) {
    auto changed = planes.bytes;
    for (std::byte &byte : changed)
        byte = ~byte;
    auto source = vk::Buffer::create_readable(*device, sizeof changed);
    source->begin_cpu_access();
    std::memcpy(source->data(), changed.data(), sizeof changed);
    source->end_cpu_access();
    run(device_copy::copy_in(*memory, plan, true));
    run([&](vk::Commands &commands) {
        commands.copy(*source, 0, memory->device_copy(), 0, sizeof changed);
    });
    planes.bytes.fill(other);
    run(device_copy::copy_out(*memory, plan));
    EXPECT_EQ(wrong_bytes(changed, true), 0u);
}

TEST_F(DeviceCopyTest, TheArenaArrives) {
    run(device_copy::copy_in(*memory, plan, true));
    arena->begin_cpu_access();
    std::memset(arena->data(), 0, arena->size());
    arena->end_cpu_access();
    run([&](vk::Commands &commands) {
        commands.copy(*device_arena, 0, *arena, 0, arena_words * 4);
    });
    arena->begin_cpu_access();
    EXPECT_EQ(std::memcmp(arena->data_to_read(), plan.arena.data(), arena_words * 4), 0);
}

TEST_F(DeviceCopyTest, TheBackupIsUsedOnceItIsMarkedComplete) {
    const auto before = planes.bytes;
    run(device_copy::copy_in(*memory, plan, true));
    planes.bytes.fill(other);
    const auto filled = planes.bytes;
    backup.restore(*memory, plan.rows);
    EXPECT_EQ(planes.bytes, filled);
    run([&](vk::Commands &commands) { commands.fill(backup.buffer(), 0, backup.number()); });
    backup.restore(*memory, plan.rows);
    EXPECT_EQ(wrong_bytes(before, false), 0u);
}
