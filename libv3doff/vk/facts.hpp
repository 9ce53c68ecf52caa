// SPDX-License-Identifier: BSD-2-Clause
// What a physical device says of itself, read once. No opinions: those are in caps.hpp.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vk/functions.hpp"

namespace v3doff::vk {

struct Facts {
    VkPhysicalDevice handle = VK_NULL_HANDLE;
    std::string name;
    std::string driver; // name and version in words
    VkDriverId driver_id{};
    VkPhysicalDeviceType type{};
    uint32_t vendor_id = 0, device_id = 0, driver_version = 0, api_version = 0;
    std::array<uint8_t, 16> uuid{};
    std::array<uint8_t, 16> pipeline_cache_uuid{};
    VkPhysicalDeviceLimits limits{};
    uint32_t subgroup_size = 0;
    VkDeviceSize max_allocation = 0;
    bool timeline = false;
    VkDeviceSize host_import_alignment = 0; // 0: cannot import host pages
    bool dma_buf = false;                   // can import dma-bufs
    VkPhysicalDeviceMemoryProperties memory{};
    std::optional<uint32_t> queue_family; // none: no compute queue
    bool timestamps = false;

    std::string uuid_text() const; // 32 digits
    bool has_memory(VkMemoryPropertyFlags flags) const;
    bool has_cached_memory() const; // that the CPU reaches
    // How much of a buffer a shader can access, in bytes.
    size_t buffer_reach() const { return limits.maxStorageBufferRange; }
    std::span<const uint32_t, 3> most_groups() const { return limits.maxComputeWorkGroupCount; }
};

using ExtensionNames = std::vector<std::string>;
ExtensionNames device_extensions(const InstanceFunctions &fn, VkPhysicalDevice device);
bool contains(const ExtensionNames &names, std::string_view name);

// Only these extensions count. For a borrowed device they are those it was made with.
Facts read_facts(const InstanceFunctions &fn, VkPhysicalDevice device,
                 const ExtensionNames &extensions);

} // namespace v3doff::vk
