// SPDX-License-Identifier: BSD-2-Clause
#include "smoke_dispatch.hpp"

#include <cstdio>

namespace v3doff::v3d71 {

namespace {

constexpr VkDeviceSize buffer_size = 1 << 20;
constexpr uint64_t wait_ns = 60'000'000'000; // the emulator is slow

uint8_t pattern(size_t i) {
    return uint8_t(i * 7);
}

class Dispatch {
  public:
    Dispatch(const VulkanDevice &device, const Module &module, const Compiled &compiled)
        : d_(device.device), device_(device), module_(module), compiled_(compiled) {}

    ~Dispatch() {
        vkDeviceWaitIdle(d_);
        vkDestroySemaphore(d_, semaphore_, nullptr);
        vkDestroyFence(d_, fence_, nullptr);
        vkDestroyCommandPool(d_, command_pool_, nullptr);
        vkDestroyDescriptorPool(d_, descriptor_pool_, nullptr);
        for (const Buffer &b : buffers_) {
            vkDestroyBuffer(d_, b.buffer, nullptr);
            vkFreeMemory(d_, b.memory, nullptr);
        }
    }
    Dispatch(const Dispatch &) = delete;
    Dispatch &operator=(const Dispatch &) = delete;

    void make_sets() {
        const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64},
                                              {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 64}};
        VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
        pool.maxSets = 16;
        pool.poolSizeCount = 2;
        pool.pPoolSizes = sizes;
        V3D71_CHECK(vkCreateDescriptorPool(d_, &pool, nullptr, &descriptor_pool_));
        VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
        info.descriptorPool = descriptor_pool_;
        info.descriptorSetCount = uint32_t(compiled_.set_layouts.size());
        info.pSetLayouts = compiled_.set_layouts.data();
        sets_.resize(info.descriptorSetCount);
        if (!sets_.empty()) V3D71_CHECK(vkAllocateDescriptorSets(d_, &info, sets_.data()));
        for (const Binding &b : module_.bindings)
            bind(b);
    }

    void record(const Options &options) {
        VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        V3D71_CHECK(vkCreateCommandPool(d_, &pool, nullptr, &command_pool_));
        VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        info.commandPool = command_pool_;
        info.commandBufferCount = 1;
        V3D71_CHECK(vkAllocateCommandBuffers(d_, &info, &commands_));
        VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        V3D71_CHECK(vkBeginCommandBuffer(commands_, &begin));
        vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, compiled_.pipeline);
        if (!sets_.empty())
            vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, compiled_.layout, 0,
                                    uint32_t(sets_.size()), sets_.data(), 0, nullptr);
        run(options, 1);
        if (options.again_behind_barrier)
            barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                    VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
        if (options.again) run(options, 2);
        barrier(VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
        V3D71_CHECK(vkEndCommandBuffer(commands_));
    }
    void run(const Options &options, uint32_t pushed) {
        const std::vector<uint32_t> push(device_.properties.limits.maxPushConstantsSize / 4,
                                         pushed);
        if (module_.push_constants)
            vkCmdPushConstants(commands_, compiled_.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                               uint32_t(push.size() * 4), push.data());
        const auto &groups = options.dispatch;
        vkCmdDispatch(commands_, groups[0], groups[1], groups[2]);
    }
    void barrier(VkPipelineStageFlags behind, VkAccessFlags access) {
        VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
        barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
        barrier.dstAccessMask = access;
        vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, behind, 0, 1,
                             &barrier, 0, nullptr, 0, nullptr);
    }

    void submit() {
        VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        V3D71_CHECK(vkCreateFence(d_, &fence, nullptr, &fence_));
        VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
        type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
        VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
        semaphore.pNext = &type;
        V3D71_CHECK(vkCreateSemaphore(d_, &semaphore, nullptr, &semaphore_));

        const uint64_t value = 5;
        VkTimelineSemaphoreSubmitInfo timeline{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
        timeline.signalSemaphoreValueCount = 1;
        timeline.pSignalSemaphoreValues = &value;
        VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
        info.pNext = &timeline;
        info.commandBufferCount = 1;
        info.pCommandBuffers = &commands_;
        info.signalSemaphoreCount = 1;
        info.pSignalSemaphores = &semaphore_;
        V3D71_CHECK(vkQueueSubmit(device_.queue, 1, &info, fence_));
        V3D71_CHECK(vkWaitForFences(d_, 1, &fence_, VK_TRUE, wait_ns));
        VkSemaphoreWaitInfo wait{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
        wait.semaphoreCount = 1;
        wait.pSemaphores = &semaphore_;
        wait.pValues = &value;
        V3D71_CHECK(vkWaitSemaphores(d_, &wait, wait_ns));
    }

    size_t changed_bytes() const {
        size_t n = 0;
        for (const Buffer &b : buffers_)
            for (size_t i = 0; i < buffer_size; i++)
                n += b.mapped[i] != pattern(i);
        return n;
    }

  private:
    struct Buffer {
        VkBuffer buffer = VK_NULL_HANDLE;
        VkDeviceMemory memory = VK_NULL_HANDLE;
        uint8_t *mapped = nullptr;
    };

    void bind(const Binding &b) {
        if ((b.type != VK_DESCRIPTOR_TYPE_STORAGE_BUFFER &&
             b.type != VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER) ||
            b.count != 1)
            throw std::runtime_error("--dispatch supports only plain buffer bindings");
        VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
        info.size = buffer_size;
        info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
        Buffer &buffer = buffers_.emplace_back();
        V3D71_CHECK(vkCreateBuffer(d_, &info, nullptr, &buffer.buffer));
        VkMemoryRequirements needs;
        vkGetBufferMemoryRequirements(d_, buffer.buffer, &needs);
        VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
        allocate.allocationSize = needs.size;
        allocate.memoryTypeIndex = host_memory_type(needs.memoryTypeBits);
        V3D71_CHECK(vkAllocateMemory(d_, &allocate, nullptr, &buffer.memory));
        V3D71_CHECK(vkBindBufferMemory(d_, buffer.buffer, buffer.memory, 0));
        void *mapped = nullptr;
        V3D71_CHECK(vkMapMemory(d_, buffer.memory, 0, VK_WHOLE_SIZE, 0, &mapped));
        buffer.mapped = static_cast<uint8_t *>(mapped);
        for (size_t i = 0; i < buffer_size; i++)
            buffer.mapped[i] = pattern(i);
        const VkDescriptorBufferInfo range{buffer.buffer, 0, VK_WHOLE_SIZE};
        VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
        write.dstSet = sets_.at(b.set);
        write.dstBinding = b.binding;
        write.descriptorCount = 1;
        write.descriptorType = b.type;
        write.pBufferInfo = &range;
        vkUpdateDescriptorSets(d_, 1, &write, 0, nullptr);
    }

    uint32_t host_memory_type(uint32_t allowed) const {
        constexpr VkMemoryPropertyFlags wanted =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        VkPhysicalDeviceMemoryProperties m;
        vkGetPhysicalDeviceMemoryProperties(device_.physical, &m);
        for (uint32_t i = 0; i < m.memoryTypeCount; i++)
            if ((allowed >> i & 1) && (m.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
        throw std::runtime_error("no host-visible memory");
    }

    VkDevice d_;
    const VulkanDevice &device_;
    const Module &module_;
    const Compiled &compiled_;
    VkDescriptorPool descriptor_pool_ = VK_NULL_HANDLE;
    std::vector<VkDescriptorSet> sets_;
    std::vector<Buffer> buffers_;
    VkCommandPool command_pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    VkFence fence_ = VK_NULL_HANDLE;
    VkSemaphore semaphore_ = VK_NULL_HANDLE;
};

} // namespace

void smoke_dispatch(const VulkanDevice &device, const Module &module, const Compiled &compiled,
                    const Options &options) {
    const auto &groups = options.dispatch;
    Dispatch dispatch(device, module, compiled);
    dispatch.make_sets();
    dispatch.record(options);
    dispatch.submit();
    printf("dispatch %ux%ux%u: done, fence and timeline semaphore reached, %zu bytes changed\n",
           groups[0], groups[1], groups[2], dispatch.changed_bytes());
}

} // namespace v3doff::v3d71
