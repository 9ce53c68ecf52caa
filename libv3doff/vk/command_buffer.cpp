// SPDX-License-Identifier: BSD-2-Clause
#include "vk/command_buffer.hpp"

#include <utility>

namespace v3doff::vk {

CommandBuffer::CommandBuffer(Device &device) : device_(device) {
    const DeviceFunctions &fn = device.fn();
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.queueFamilyIndex = *device.facts().queue_family;
    check(fn.vkCreateCommandPool(device.handle(), &pool, nullptr, &pool_), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    info.commandPool = pool_;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    VkResult result = fn.vkAllocateCommandBuffers(device.handle(), &info, &buffer_);
    if (result != VK_SUCCESS) fn.vkDestroyCommandPool(device.handle(), pool_, nullptr);
    check(result, "vkAllocateCommandBuffers");
}

CommandBuffer::~CommandBuffer() {
    if (!device_.abandoned()) device_.fn().vkDestroyCommandPool(device_.handle(), pool_, nullptr);
}

void CommandBuffer::begin() {
    pipeline_ = VK_NULL_HANDLE;
    set_ = VK_NULL_HANDLE;
    VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    if (!std::exchange(released_, false))
        check(device_.fn().vkResetCommandPool(device_.handle(), pool_, 0), "vkResetCommandPool");
    check(device_.fn().vkBeginCommandBuffer(buffer_, &info), "vkBeginCommandBuffer");
}

void CommandBuffer::release() noexcept {
    released_ = device_.fn().vkResetCommandPool(device_.handle(), pool_, 0) == VK_SUCCESS;
}

void CommandBuffer::write(const Commands &commands) {
    begin();
    // An earlier submit may have used these buffers. Once the CPU has waited for that submit, its
    // writes are available, but only this barrier makes them visible to these commands.
    barrier(Commands::Scope::all);
    for (size_t step = 0; step < commands.steps(); step++) {
        if (step) barrier(commands.scope_behind(step - 1));
        commands.write_step(step, *this);
    }
    end();
}

void CommandBuffer::use(VkPipeline pipeline, VkDescriptorSet set) {
    const DeviceFunctions &fn = device_.fn();
    if (set_ != set)
        fn.vkCmdBindDescriptorSets(buffer_, VK_PIPELINE_BIND_POINT_COMPUTE,
                                   device_.pipelines().layout(), 0, 1, &set, 0, nullptr);
    set_ = set;
    if (pipeline_ != pipeline)
        fn.vkCmdBindPipeline(buffer_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    pipeline_ = pipeline;
}

void CommandBuffer::barrier(Commands::Scope scope) {
    const auto has = [scope](Commands::Scope part) { return (scope | part) == scope; };
    VkPipelineStageFlags stages = 0;
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    if (has(Commands::Scope::shaders)) {
        stages |= VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
        memory.srcAccessMask |= VK_ACCESS_SHADER_WRITE_BIT;
        memory.dstAccessMask |= VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    }
    if (has(Commands::Scope::copies)) {
        stages |= VK_PIPELINE_STAGE_TRANSFER_BIT;
        memory.srcAccessMask |= VK_ACCESS_TRANSFER_WRITE_BIT;
        memory.dstAccessMask |= VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    }
    device_.fn().vkCmdPipelineBarrier(buffer_, stages, stages, 0, 1, &memory, 0, nullptr, 0,
                                      nullptr);
}

void CommandBuffer::end() {
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    memory.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    device_.fn().vkCmdPipelineBarrier(
        buffer_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory, 0, nullptr, 0, nullptr);
    check(device_.fn().vkEndCommandBuffer(buffer_), "vkEndCommandBuffer");
}

} // namespace v3doff::vk
