// SPDX-License-Identifier: BSD-2-Clause
// A command buffer with its pool, used again and again: what one vkQueueSubmit takes.
#pragma once

#include <span>

#include "vk/commands.hpp"

namespace v3doff::vk {

class CommandBuffer {
  public:
    explicit CommandBuffer(Device &device);
    ~CommandBuffer();
    CommandBuffer(const CommandBuffer &) = delete;
    CommandBuffer &operator=(const CommandBuffer &) = delete;

    // Writes all commands, those of different chains side by side. Throws what Vulkan refuses.
    void write(std::span<const Commands *const> parts);

    VkCommandBuffer handle() const { return buffer_; }
    // What the next dispatch uses; what is bound already costs nothing.
    void use(VkPipeline pipeline, VkDescriptorSet set);

  private:
    void begin();
    void barrier(Commands::Scope scope);
    void end(); // also makes the results visible to the CPU

    Device &device_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer buffer_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    std::vector<size_t> first_steps_;
};

} // namespace v3doff::vk
