// SPDX-License-Identifier: BSD-2-Clause
#include "vk/commands.hpp"

#include "util/error.hpp"
#include "util/fault.hpp"

namespace v3doff::vk {

Commands::Commands(Device &device) : device_(device) {
    const DeviceFunctions &fn = device.fn();
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.queueFamilyIndex = *device.facts().queue_family;
    check(fn.vkCreateCommandPool(device.handle(), &pool, nullptr, &pool_), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    info.commandPool = pool_;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    check(fn.vkAllocateCommandBuffers(device.handle(), &info, &buffer_),
          "vkAllocateCommandBuffers");
    create_descriptors();
    timers_.reserve(max_timers);
    if (!device.options().timers || !device.facts().timestamps) return;
    VkQueryPoolCreateInfo queries{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
    queries.queryCount = 2 * max_timers;
    check(fn.vkCreateQueryPool(device.handle(), &queries, nullptr, &queries_), "vkCreateQueryPool");
}

Commands::~Commands() {
    if (device_.abandoned()) return;
    const DeviceFunctions &fn = device_.fn();
    fn.vkDestroyQueryPool(device_.handle(), queries_, nullptr);
    fn.vkDestroyDescriptorPool(device_.handle(), descriptor_pool_, nullptr);
    fn.vkDestroyCommandPool(device_.handle(), pool_, nullptr);
}

void Commands::create_descriptors() {
    const DeviceFunctions &fn = device_.fn();
    VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, binding_count * set_count};
    VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool.maxSets = set_count;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    check(fn.vkCreateDescriptorPool(device_.handle(), &pool, nullptr, &descriptor_pool_),
          "vkCreateDescriptorPool");
    std::array<VkDescriptorSetLayout, set_count> layouts;
    layouts.fill(device_.pipelines().set_layout());
    VkDescriptorSetAllocateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    set.descriptorPool = descriptor_pool_;
    set.descriptorSetCount = set_count;
    set.pSetLayouts = layouts.data();
    check(fn.vkAllocateDescriptorSets(device_.handle(), &set, sets_.data()),
          "vkAllocateDescriptorSets");
}

void Commands::begin() {
    timers_.clear();
    bound_ = set_count;
    VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    check(device_.fn().vkResetCommandPool(device_.handle(), pool_, 0), "vkResetCommandPool");
    check(device_.fn().vkBeginCommandBuffer(buffer_, &info), "vkBeginCommandBuffer");
    if (queries_) device_.fn().vkCmdResetQueryPool(buffer_, queries_, 0, 2 * max_timers);
}

void Commands::bind(uint32_t set, const std::array<BufferView, binding_count> &views) {
    const DeviceFunctions &fn = device_.fn();
    VkDescriptorBufferInfo infos[binding_count];
    VkWriteDescriptorSet writes[binding_count];
    uint32_t count = 0;
    for (uint32_t i = 0; i < binding_count; i++) {
        if (!views[i].buffer || views[i] == views_[set][i]) continue;
        views_[set][i] = views[i];
        infos[count] = {views[i].buffer, 0, views[i].bytes};
        writes[count] = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
        writes[count].dstSet = sets_[set];
        writes[count].dstBinding = i;
        writes[count].descriptorCount = 1;
        writes[count].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        writes[count].pBufferInfo = &infos[count];
        count++;
    }
    if (count) fn.vkUpdateDescriptorSets(device_.handle(), count, writes, 0, nullptr);
}

// Drivers do not look: what goes beyond a buffer lands in the memory of another one.
// In pieces where dispatches are cut: a copy is a job of the GPU like them. Else one command.
void Commands::copy(const Buffer &from, const Buffer &to, std::span<const VkBufferCopy> regions) {
    for (const VkBufferCopy &region : regions)
        if (region.srcOffset + region.size > from.size() ||
            region.dstOffset + region.size > to.size())
            throw Error(V3DOFF_ERROR_INTERNAL, "a copy beyond the end of a buffer");
    const auto &copy_buffer = device_.fn().vkCmdCopyBuffer;
    const VkDeviceSize piece = device_.caps().piece_bytes / 4 * 4;
    if (!piece) {
        if (!regions.empty())
            copy_buffer(buffer_, from.handle(), to.handle(), uint32_t(regions.size()),
                        regions.data());
        return;
    }
    for (const VkBufferCopy &region : regions)
        for (VkDeviceSize at = 0; at < region.size; at += piece) {
            const VkBufferCopy part{region.srcOffset + at, region.dstOffset + at,
                                    std::min(piece, region.size - at)};
            copy_buffer(buffer_, from.handle(), to.handle(), 1, &part);
        }
}

void Commands::fill(VkBuffer buffer, VkDeviceSize offset, uint32_t word) {
    device_.fn().vkCmdFillBuffer(buffer_, buffer, offset, sizeof word, word);
}

void Commands::barrier(Scope scope) {
    if (fault::hit(fault::Point::barrier)) return;
    VkPipelineStageFlags stages = 0;
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    if (scope != Scope::copies) {
        stages |= VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
        memory.srcAccessMask |= VK_ACCESS_SHADER_WRITE_BIT;
        memory.dstAccessMask |= VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    }
    if (scope != Scope::shaders) {
        stages |= VK_PIPELINE_STAGE_TRANSFER_BIT;
        memory.srcAccessMask |= VK_ACCESS_TRANSFER_WRITE_BIT;
        memory.dstAccessMask |= VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    }
    device_.fn().vkCmdPipelineBarrier(buffer_, stages, stages, 0, 1, &memory, 0, nullptr, 0,
                                      nullptr);
}

void Commands::dispatch(VkPipeline pipeline, const char *name, std::array<uint32_t, 3> groups,
                        const void *push, size_t bytes, uint32_t set,
                        std::array<uint32_t, 3> first) {
    const DeviceFunctions &fn = device_.fn();
    begin_timer(name);
    if (bound_ != set)
        fn.vkCmdBindDescriptorSets(buffer_, VK_PIPELINE_BIND_POINT_COMPUTE,
                                   device_.pipelines().layout(), 0, 1, &sets_[set], 0, nullptr);
    bound_ = set;
    fn.vkCmdBindPipeline(buffer_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    if (bytes)
        fn.vkCmdPushConstants(buffer_, device_.pipelines().layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                              uint32_t(bytes), push);
    if (fault::hit(fault::Point::idle)) {
        // Nothing is done, as if the device had forgotten it.
    } else if (first[0] | first[1] | first[2]) {
        fn.vkCmdDispatchBase(buffer_, first[0], first[1], first[2], groups[0], groups[1],
                             groups[2]);
    } else {
        fn.vkCmdDispatch(buffer_, groups[0], groups[1], groups[2]);
    }
    end_timer();
}

void Commands::begin_timer(const char *name) {
    timing_ = queries_ && timers_.size() < max_timers;
    if (!timing_) return;
    device_.fn().vkCmdWriteTimestamp(buffer_, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries_,
                                     2 * uint32_t(timers_.size()));
    timers_.push_back({name, 0});
}

void Commands::end_timer() {
    if (!timing_) return;
    device_.fn().vkCmdWriteTimestamp(buffer_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_,
                                     2 * uint32_t(timers_.size()) - 1);
    timing_ = false;
}

VkCommandBuffer Commands::end() {
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    memory.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    device_.fn().vkCmdPipelineBarrier(
        buffer_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory, 0, nullptr, 0, nullptr);
    check(device_.fn().vkEndCommandBuffer(buffer_), "vkEndCommandBuffer");
    return buffer_;
}

const std::vector<Commands::Timer> &Commands::read_timers() {
    std::array<uint64_t, 2 * max_timers> ticks;
    size_t count = timers_.size();
    if (count && device_.fn().vkGetQueryPoolResults(
                     device_.handle(), queries_, 0, 2 * uint32_t(count), sizeof ticks, ticks.data(),
                     sizeof(uint64_t), VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
        timers_.clear();
    const double period = double(device_.facts().limits.timestampPeriod);
    for (size_t i = 0; i < timers_.size(); i++)
        timers_[i].ns = uint64_t(double(ticks[2 * i + 1] - ticks[2 * i]) * period);
    span_ns_ =
        timers_.empty() ? 0 : uint64_t(double(ticks[2 * timers_.size() - 1] - ticks[0]) * period);
    return timers_;
}

} // namespace v3doff::vk
