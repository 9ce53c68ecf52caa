// SPDX-License-Identifier: BSD-2-Clause
// Descriptor sets are used again and again, and buffers come and go meanwhile. Drivers look at
// every binding of a set, also at those that no shader of a submit reads (Mesa's lavapipe counts
// the users of each buffer), so no binding may name a buffer that is gone.
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <vector>

#include "any_device.hpp"
#include "vk/commands.hpp"
#include "vk/pipelines.hpp"

using namespace v3doff;

namespace {

// What the device was told, since there was one of these.
class Watch {
  public:
    explicit Watch(const vk::Device &device)
        : table_(const_cast<vk::DeviceFunctions &>(device.fn())), real_(table_) {
        now_ = this;
        table_.vkUpdateDescriptorSets = update;
        table_.vkDestroyBuffer = destroy;
    }
    ~Watch() {
        table_ = real_;
        now_ = nullptr;
    }

    size_t named() const { return named_.size(); }
    std::vector<uint32_t> bindings_of_destroyed_buffers() const {
        std::vector<uint32_t> bindings;
        for (const auto &[place, buffer] : named_)
            if (gone_.count(buffer)) bindings.push_back(place.second);
        return bindings;
    }

  private:
    static VKAPI_ATTR void VKAPI_CALL update(VkDevice device, uint32_t count,
                                             const VkWriteDescriptorSet *writes, uint32_t copies,
                                             const VkCopyDescriptorSet *copied) {
        for (uint32_t i = 0; i < count; i++)
            now_->named_[{writes[i].dstSet, writes[i].dstBinding}] = writes[i].pBufferInfo->buffer;
        now_->real_.vkUpdateDescriptorSets(device, count, writes, copies, copied);
    }
    static VKAPI_ATTR void VKAPI_CALL destroy(VkDevice device, VkBuffer buffer,
                                              const VkAllocationCallbacks *allocator) {
        now_->gone_.insert(buffer);
        now_->real_.vkDestroyBuffer(device, buffer, allocator);
    }

    static inline Watch *now_ = nullptr;
    vk::DeviceFunctions &table_;
    const vk::DeviceFunctions real_;
    std::map<std::pair<VkDescriptorSet, uint32_t>, VkBuffer> named_;
    std::set<VkBuffer> gone_; // tests make all buffers before the first one goes
};

class CommandsTest : public testing::Test {
  protected:
    std::shared_ptr<vk::Device> device = open_any_device();
    void SetUp() override {
        if (!device) GTEST_SKIP() << "no Vulkan device";
    }
    std::unique_ptr<vk::Buffer> make() const { return vk::Buffer::create_private(*device, 4096); }
};

} // namespace

TEST_F(CommandsTest, NoBindingNamesABufferThatIsGone) {
    std::array<std::unique_ptr<vk::Buffer>, vk::binding_count> first;
    std::array<vk::BufferView, vk::binding_count> all, few;
    for (uint32_t i = 0; i < vk::binding_count; i++) {
        first[i] = make();
        all[i] = vk::BufferView(*first[i]);
    }
    auto samples = make(), arena = make();
    few[vk::binding_samples] = vk::BufferView(*samples);
    few[vk::binding_arena] = vk::BufferView(*arena);

    const Watch watch(*device);
    vk::Commands commands(*device);
    commands.bind(0, all);
    ASSERT_EQ(watch.named(), size_t(vk::binding_count));
    EXPECT_TRUE(watch.bindings_of_destroyed_buffers().empty());
    first = {};
    EXPECT_EQ(watch.bindings_of_destroyed_buffers().size(), size_t(vk::binding_count));
    commands.bind(0, few);
    EXPECT_EQ(watch.bindings_of_destroyed_buffers(), std::vector<uint32_t>());
}
