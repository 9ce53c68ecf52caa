// SPDX-License-Identifier: BSD-2-Clause
// Which backup a submit gets: none is taken twice, and bands leave those of whole pictures alone.
#include <gtest/gtest.h>

#include "any_device.hpp"
#include "picture/grow.hpp"
#include "picture/work_supply.hpp"

using namespace v3doff;

namespace {

class BackupsTest : public testing::Test {
  protected:
    void SetUp() override {
        device = open_any_device();
        if (!device) GTEST_SKIP() << "no Vulkan device";
        memory = Surface::create(device.get(), lay_out({1920, 1080, 8, V3DOFF_CHROMA_420}),
                                 V3DOFF_MEMORY_AUTO);
        ASSERT_TRUE(memory->gpu());
    }

    // Of so many luma rows from the top.
    std::unique_ptr<Backup> take(uint32_t luma_rows) {
        RowRange rows[max_planes];
        for (unsigned p = 0; p < 3; p++)
            rows[p].add(0, p ? luma_rows / 2 : luma_rows);
        return supply.take_backup(*device, memory->map(), rows);
    }

    std::shared_ptr<vk::Device> device;
    std::unique_ptr<Surface> memory;
    WorkSupply supply;
};

} // namespace

TEST_F(BackupsTest, EachSubmitHasItsOwn) {
    auto first = take(1080), second = take(1080);
    EXPECT_NE(first->buffer().handle(), second->buffer().handle());
    const VkBuffer given = second->buffer().handle();
    const uint32_t number = second->number();
    supply.backups.give(std::move(second));
    auto third = take(1080);
    EXPECT_EQ(third->buffer().handle(), given);
    EXPECT_NE(third->number(), number); // what was kept before is not taken for this submit's
}

TEST_F(BackupsTest, TheSmallestThatHasRoomIsTaken) {
    auto whole = take(1080), band = take(272);
    const vk::Buffer *large = &whole->buffer(), *small = &band->buffer();
    EXPECT_LT(small->size(), large->size() / 3);
    supply.backups.give(std::move(band));
    supply.backups.give(std::move(whole));
    auto again = take(272);
    EXPECT_EQ(&again->buffer(), small);
    auto second = take(272); // rather a large one than one more
    EXPECT_EQ(&second->buffer(), large);
}

TEST_F(BackupsTest, OneThatNearlyHasRoomGrows) {
    auto band = take(272);
    const Backup *kept = band.get();
    supply.backups.give(std::move(band));
    auto larger = take(300);
    EXPECT_EQ(larger.get(), kept);
    EXPECT_GE(larger->bytes(), size_t(300 * 1920 * 3 / 2));
    supply.backups.give(std::move(larger));
    EXPECT_NE(take(1080).get(), kept);
}

TEST(Stepped, SizesHaveALittleRoom) {
    for (size_t bytes : {size_t(1), size_t(65536), size_t(65537), size_t(1) << 20,
                         size_t(3'133'456), (size_t(1) << 24) + 1}) {
        const size_t stepped = v3doff::stepped(bytes);
        EXPECT_GE(stepped, bytes);
        EXPECT_LE(stepped, bytes + std::max(bytes / 8, size_t(65536)));
        EXPECT_EQ(v3doff::stepped(stepped), stepped);
    }
}
