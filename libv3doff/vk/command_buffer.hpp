// SPDX-License-Identifier: BSD-2-Clause
// A command buffer with its pool, used again and again: what one vkQueueSubmit takes.
#pragma once

#include "vk/commands.hpp"

namespace v3doff::vk {

class CommandBuffer {
  public:
    explicit CommandBuffer(Device &device);
    ~CommandBuffer();
    CommandBuffer(const CommandBuffer &) = delete;
    CommandBuffer &operator=(const CommandBuffer &) = delete;

    // Throws if a Vulkan call fails.
    void write(const Commands &commands);
    // Frees what the driver keeps for the commands, once the device has done them. (v3dv has memory
    // for the shared variables of every workgroup.)
    void release() noexcept;

    VkCommandBuffer handle() const { return buffer_; }
    // Binds what the next dispatch uses. Costs nothing if it is bound already.
    void use(VkPipeline pipeline, VkDescriptorSet set);

  private:
    void begin();
    void barrier(Commands::Scope scope);
    void end(); // also makes the results visible to the CPU

    Device &device_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer buffer_ = VK_NULL_HANDLE;
    bool released_ = true;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
};

} // namespace v3doff::vk
