// SPDX-License-Identifier: BSD-2-Clause
#include "vk/facts.hpp"

#include <algorithm>
#include <cstring>

#include "util/fault.hpp"

namespace v3doff::vk {
namespace {

// Prefers a family without graphics, where a compositor's frames do not delay the work.
std::optional<uint32_t> pick_queue_family(const std::vector<VkQueueFamilyProperties> &families) {
    std::optional<uint32_t> any;
    for (uint32_t i = 0; i < families.size(); i++) {
        VkQueueFlags flags = families[i].queueFlags;
        if (!(flags & VK_QUEUE_COMPUTE_BIT) || !families[i].queueCount) continue;
        if (!(flags & VK_QUEUE_GRAPHICS_BIT)) return i;
        if (!any) any = i;
    }
    return any;
}

void read_queues(Facts &facts, const InstanceFunctions &fn) {
    uint32_t count = 0;
    fn.GetPhysicalDeviceQueueFamilyProperties(facts.handle, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    fn.GetPhysicalDeviceQueueFamilyProperties(facts.handle, &count, families.data());
    facts.queue_family = pick_queue_family(families);
    facts.timestamps = facts.queue_family && families[*facts.queue_family].timestampValidBits >= 32;
}

// The structures of Vulkan 1.2 may be chained only to a device that has it.
void read_vulkan12(Facts &facts, const InstanceFunctions &fn, bool host_memory_extension) {
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT host{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
    VkPhysicalDeviceVulkan12Properties v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
    VkPhysicalDeviceVulkan11Properties v11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    properties.pNext = &v11;
    v11.pNext = &v12;
    if (host_memory_extension) v12.pNext = &host;
    fn.GetPhysicalDeviceProperties2(facts.handle, &properties);
    facts.driver = std::string(v12.driverName) + " " + v12.driverInfo;
    facts.driver_id = v12.driverID;
    std::copy(std::begin(v11.deviceUUID), std::end(v11.deviceUUID), facts.uuid.begin());
    facts.subgroup_size = v11.subgroupSize;
    facts.max_allocation = v11.maxMemoryAllocationSize;
    facts.host_import_alignment = host_memory_extension ? host.minImportedHostPointerAlignment : 0;

    VkPhysicalDeviceVulkan12Features f12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    features.pNext = &f12;
    fn.GetPhysicalDeviceFeatures2(facts.handle, &features);
    facts.timeline = f12.timelineSemaphore;
}

} // namespace

std::string Facts::uuid_text() const {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (uint8_t byte : uuid) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

bool Facts::has_memory(VkMemoryPropertyFlags flags) const {
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if ((memory.memoryTypes[i].propertyFlags & flags) == flags) return true;
    return false;
}

bool Facts::has_cached_memory() const {
    return has_memory(VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
}

ExtensionNames device_extensions(const InstanceFunctions &fn, VkPhysicalDevice device) {
    uint32_t count = 0;
    fn.EnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> properties(count);
    fn.EnumerateDeviceExtensionProperties(device, nullptr, &count, properties.data());
    ExtensionNames names;
    for (uint32_t i = 0; i < count; i++)
        names.emplace_back(properties[i].extensionName);
    return names;
}

bool contains(const ExtensionNames &names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

Facts read_facts(const InstanceFunctions &fn, VkPhysicalDevice device,
                 const ExtensionNames &extensions) {
    Facts facts;
    facts.handle = device;
    VkPhysicalDeviceProperties base;
    fn.GetPhysicalDeviceProperties(device, &base);
    facts.name = base.deviceName;
    facts.type = base.deviceType;
    facts.vendor_id = base.vendorID;
    facts.device_id = base.deviceID;
    facts.driver_version = base.driverVersion;
    facts.api_version = base.apiVersion;
    facts.limits = base.limits;
    std::copy(std::begin(base.pipelineCacheUUID), std::end(base.pipelineCacheUUID),
              facts.pipeline_cache_uuid.begin());
    fn.GetPhysicalDeviceMemoryProperties(device, &facts.memory);
    if (fault::hit(fault::Point::uncached))
        for (auto &type : facts.memory.memoryTypes)
            type.propertyFlags &= ~VkMemoryPropertyFlags(VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    read_queues(facts, fn);
    if (base.apiVersion >= VK_API_VERSION_1_2)
        read_vulkan12(facts, fn, contains(extensions, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME));
    facts.dma_buf = contains(extensions, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME) &&
                    contains(extensions, VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME);
    return facts;
}

} // namespace v3doff::vk
