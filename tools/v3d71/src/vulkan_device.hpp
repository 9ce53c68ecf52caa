// SPDX-License-Identifier: BSD-2-Clause
// One Vulkan device with all features enabled, except those that change the code of every access.
#pragma once

#include <stdexcept>
#include <string>

#include <volk.h>

namespace v3doff::v3d71 {

// Throws std::runtime_error naming the call.
void check(VkResult result, const char *call);
#define V3D71_CHECK(call) ::v3doff::v3d71::check((call), #call)

class VulkanDevice {
  public:
    // Opens the loader and the instance, and picks the physical device; throws if there is none.
    explicit VulkanDevice(uint32_t index);
    ~VulkanDevice();
    VulkanDevice(const VulkanDevice &) = delete;
    VulkanDevice &operator=(const VulkanDevice &) = delete;

    // Makes the logical device. robust: bounds checks of the driver, which cost instructions.
    // verbose: show what the driver prints to stderr about its internal shaders.
    void create(bool robust, bool verbose);

    bool has_extension(const char *name) const;
    bool is_v3dv() const { return driver.driverID == VK_DRIVER_ID_MESA_V3DV; }
    // Name and driver, for messages.
    std::string describe() const;

    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkPhysicalDeviceProperties properties{};
    VkPhysicalDeviceDriverProperties driver{};
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    bool executable_properties = false; // VK_KHR_pipeline_executable_properties is on
};

} // namespace v3doff::v3d71
