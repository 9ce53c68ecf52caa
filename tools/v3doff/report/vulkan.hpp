// SPDX-License-Identifier: BSD-2-Clause
// Vulkan without the library: a device by its UUID, mapped memory of one type, and command buffers
// of empty dispatches.
#pragma once

#include <array>
#include <cstdint>
#include <vector>
#include <vulkan/vulkan.h>

namespace tool::report {

class Vulkan {
  public:
    // Throws if there is no such device.
    explicit Vulkan(const uint8_t (&uuid)[16]);
    ~Vulkan();
    Vulkan(const Vulkan &) = delete;
    Vulkan &operator=(const Vulkan &) = delete;

    const VkPhysicalDeviceMemoryProperties &memory() const { return memory_; }
    // null: this type is unavailable.
    void *map(uint32_t type, size_t bytes);
    void unmap();

    // Records this number of dispatches, with barriers between them, for later submits.
    void record(unsigned dispatches);
    void submit();
    void wait();

  private:
    template <typename Function>
    Function get(const char *name) const;
    void find(const uint8_t (&uuid)[16]);
    void create_device();
    void create_pipeline();

    void *library_ = nullptr;
    PFN_vkGetInstanceProcAddr entry_ = nullptr;
    VkInstance instance_ = VK_NULL_HANDLE;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    VkPhysicalDeviceMemoryProperties memory_{};
    uint32_t family_ = 0;
    VkDevice device_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    VkDeviceMemory mapped_ = VK_NULL_HANDLE;
    VkShaderModule shader_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    VkFence fence_ = VK_NULL_HANDLE;
};

} // namespace tool::report
