// SPDX-License-Identifier: BSD-2-Clause
#include "device_info.hpp"

#include <cstdio>
#include <vector>

namespace v3doff::v3d71 {

namespace {

void line(const char *name, unsigned long long value) {
    printf("%-38s %llu\n", name, value);
}

void print_version(const char *name, uint32_t v) {
    printf("%-38s %u.%u.%u\n", name, VK_API_VERSION_MAJOR(v), VK_API_VERSION_MINOR(v),
           VK_API_VERSION_PATCH(v));
}

void print_subgroups(const VkPhysicalDeviceVulkan11Properties &p) {
    static const char *const names[] = {"basic",   "vote",     "arithmetic", "ballot",
                                        "shuffle", "relative", "clustered",  "quad"};
    line("subgroupSize", p.subgroupSize);
    printf("%-38s", "subgroup operations");
    for (int i = 0; i < 8; i++)
        if (p.subgroupSupportedOperations >> i & 1) printf(" %s", names[i]);
    printf("\n");
}

void print_limits(const VkPhysicalDeviceLimits &l) {
#define LIMIT(name) line(#name, l.name)
    LIMIT(maxComputeSharedMemorySize);
    LIMIT(maxComputeWorkGroupInvocations);
    for (int i = 0; i < 3; i++)
        printf("maxComputeWorkGroupSize/Count[%d]       %u %u\n", i, l.maxComputeWorkGroupSize[i],
               l.maxComputeWorkGroupCount[i]);
    LIMIT(maxPushConstantsSize);
    LIMIT(maxBoundDescriptorSets);
    LIMIT(maxPerStageDescriptorStorageBuffers);
    LIMIT(maxPerStageDescriptorUniformBuffers);
    LIMIT(maxPerStageDescriptorStorageImages);
    LIMIT(maxStorageBufferRange);
    LIMIT(maxUniformBufferRange);
    LIMIT(maxMemoryAllocationCount);
    LIMIT(minStorageBufferOffsetAlignment);
    LIMIT(minUniformBufferOffsetAlignment);
    LIMIT(nonCoherentAtomSize);
    LIMIT(minMemoryMapAlignment);
    LIMIT(timestampComputeAndGraphics);
#undef LIMIT
    printf("%-38s %g\n", "timestampPeriod", double(l.timestampPeriod));
}

void print_features(VkPhysicalDevice physical, uint32_t api_version) {
    VkPhysicalDeviceFeatures2 f{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceVulkan11Features f11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    VkPhysicalDeviceVulkan12Features f12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan13Features f13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    f.pNext = &f11;
    f11.pNext = &f12;
    if (api_version >= VK_API_VERSION_1_3) f12.pNext = &f13;
    vkGetPhysicalDeviceFeatures2(physical, &f);
#define FEATURE(from, name) line(#name, from.name)
    FEATURE(f.features, shaderInt16);
    FEATURE(f.features, shaderInt64);
    FEATURE(f.features, shaderFloat64);
    FEATURE(f.features, robustBufferAccess);
    FEATURE(f11, storageBuffer16BitAccess);
    FEATURE(f11, storagePushConstant16);
    FEATURE(f11, variablePointersStorageBuffer);
    FEATURE(f12, storageBuffer8BitAccess);
    FEATURE(f12, storagePushConstant8);
    FEATURE(f12, shaderInt8);
    FEATURE(f12, shaderFloat16);
    FEATURE(f12, scalarBlockLayout);
    FEATURE(f12, timelineSemaphore);
    FEATURE(f12, bufferDeviceAddress);
    FEATURE(f12, vulkanMemoryModel);
    FEATURE(f12, hostQueryReset);
    FEATURE(f13, synchronization2);
    FEATURE(f13, subgroupSizeControl);
    FEATURE(f13, shaderIntegerDotProduct);
    FEATURE(f13, maintenance4);
#undef FEATURE
}

void print_external(VkPhysicalDevice physical) {
    const struct {
        VkExternalMemoryHandleTypeFlagBits type;
        const char *name;
    } handles[] = {
        {VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, "storage buffer opaque_fd"},
        {VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, "storage buffer dma_buf"},
        {VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT, "storage buffer host_allocation"},
    };
    for (const auto &handle : handles) {
        VkPhysicalDeviceExternalBufferInfo info{
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO};
        info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
        info.handleType = handle.type;
        VkExternalBufferProperties p{VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
        vkGetPhysicalDeviceExternalBufferProperties(physical, &info, &p);
        const auto flags = p.externalMemoryProperties.externalMemoryFeatures;
        printf("%-38s%s%s%s\n", handle.name,
               flags & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT ? " import" : "",
               flags & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT ? " export" : "",
               flags ? "" : " no");
    }
}

void print_memory_and_queues(VkPhysicalDevice physical) {
    VkPhysicalDeviceMemoryProperties m;
    vkGetPhysicalDeviceMemoryProperties(physical, &m);
    for (uint32_t i = 0; i < m.memoryHeapCount; i++)
        printf("memory heap %u                          %llu MiB\n", i,
               static_cast<unsigned long long>(m.memoryHeaps[i].size >> 20));
    for (uint32_t i = 0; i < m.memoryTypeCount; i++) {
        const auto flags = m.memoryTypes[i].propertyFlags;
        printf("memory type %u                          heap %u%s%s%s%s\n", i,
               m.memoryTypes[i].heapIndex,
               flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT ? " device_local" : "",
               flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT ? " host_visible" : "",
               flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT ? " host_coherent" : "",
               flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT ? " host_cached" : "");
    }
    uint32_t n = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &n, nullptr);
    std::vector<VkQueueFamilyProperties> families(n);
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &n, families.data());
    for (uint32_t i = 0; i < n; i++)
        printf("queue family %u                         %u queues, flags 0x%x, timestamp bits %u\n",
               i, families[i].queueCount, families[i].queueFlags, families[i].timestampValidBits);
}

} // namespace

void print_device_info(const VulkanDevice &device) {
    VkPhysicalDeviceProperties2 p{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    VkPhysicalDeviceVulkan11Properties p11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
    p.pNext = &p11;
    vkGetPhysicalDeviceProperties2(device.physical, &p);
    printf("%-38s %s\n", "deviceName", device.properties.deviceName);
    printf("%-38s %s, %s\n", "driver", device.driver.driverName, device.driver.driverInfo);
    print_version("apiVersion", device.properties.apiVersion);
    print_subgroups(p11);
    print_limits(device.properties.limits);
    print_features(device.physical, device.properties.apiVersion);
    for (const char *name :
         {"VK_KHR_external_memory_fd", "VK_EXT_external_memory_dma_buf",
          "VK_EXT_external_memory_host", "VK_KHR_external_semaphore_fd", "VK_KHR_push_descriptor",
          "VK_KHR_pipeline_executable_properties", "VK_EXT_calibrated_timestamps",
          "VK_EXT_memory_budget", "VK_KHR_performance_query", "VK_EXT_queue_family_foreign",
          "VK_KHR_global_priority"})
        line(name, device.has_extension(name));
    print_external(device.physical);
    print_memory_and_queues(device.physical);
}

} // namespace v3doff::v3d71
