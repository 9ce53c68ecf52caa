// SPDX-License-Identifier: BSD-2-Clause
// Vulkan's entry points: a table for each instance and one for each device. None is global, so
// several devices, own and borrowed, can live side by side.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <volk.h>

namespace v3doff::vk {

#define V3DOFF_INSTANCE_FUNCTIONS(X)                                                               \
    X(DestroyInstance)                                                                             \
    X(EnumeratePhysicalDevices)                                                                    \
    X(GetPhysicalDeviceProperties)                                                                 \
    X(GetPhysicalDeviceProperties2)                                                                \
    X(GetPhysicalDeviceFeatures2)                                                                  \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceQueueFamilyProperties)                                                      \
    X(EnumerateDeviceExtensionProperties)                                                          \
    X(CreateDevice)                                                                                \
    X(GetDeviceProcAddr)

struct InstanceFunctions {
#define X(name) PFN_vk##name name = nullptr;
    V3DOFF_INSTANCE_FUNCTIONS(X)
#undef X
};

// Only functions that are used. If the extension of a name is not enabled, the loader walks its
// list of devices, which another part of the process may be changing (destroy_device()).
#define V3DOFF_DEVICE_FUNCTIONS(X)                                                                 \
    X(AllocateCommandBuffers)                                                                      \
    X(AllocateDescriptorSets)                                                                      \
    X(AllocateMemory)                                                                              \
    X(BeginCommandBuffer)                                                                          \
    X(BindBufferMemory)                                                                            \
    X(CmdBindDescriptorSets)                                                                       \
    X(CmdBindPipeline)                                                                             \
    X(CmdCopyBuffer)                                                                               \
    X(CmdDispatch)                                                                                 \
    X(CmdDispatchBase)                                                                             \
    X(CmdFillBuffer)                                                                               \
    X(CmdPipelineBarrier)                                                                          \
    X(CmdPushConstants)                                                                            \
    X(CmdResetQueryPool)                                                                           \
    X(CmdWriteTimestamp)                                                                           \
    X(CreateBuffer)                                                                                \
    X(CreateCommandPool)                                                                           \
    X(CreateComputePipelines)                                                                      \
    X(CreateDescriptorPool)                                                                        \
    X(CreateDescriptorSetLayout)                                                                   \
    X(CreatePipelineCache)                                                                         \
    X(CreatePipelineLayout)                                                                        \
    X(CreateQueryPool)                                                                             \
    X(CreateSemaphore)                                                                             \
    X(CreateShaderModule)                                                                          \
    X(DestroyBuffer)                                                                               \
    X(DestroyCommandPool)                                                                          \
    X(DestroyDescriptorPool)                                                                       \
    X(DestroyDescriptorSetLayout)                                                                  \
    X(DestroyDevice)                                                                               \
    X(DestroyPipeline)                                                                             \
    X(DestroyPipelineCache)                                                                        \
    X(DestroyPipelineLayout)                                                                       \
    X(DestroyQueryPool)                                                                            \
    X(DestroySemaphore)                                                                            \
    X(DestroyShaderModule)                                                                         \
    X(EndCommandBuffer)                                                                            \
    X(FlushMappedMemoryRanges)                                                                     \
    X(FreeMemory)                                                                                  \
    X(GetBufferMemoryRequirements)                                                                 \
    X(GetDeviceQueue)                                                                              \
    X(GetPipelineCacheData)                                                                        \
    X(GetQueryPoolResults)                                                                         \
    X(InvalidateMappedMemoryRanges)                                                                \
    X(MapMemory)                                                                                   \
    X(QueueSubmit)                                                                                 \
    X(ResetCommandPool)                                                                            \
    X(SignalSemaphore)                                                                             \
    X(UpdateDescriptorSets)                                                                        \
    X(WaitSemaphores)

// Null where the extension is not enabled.
#define V3DOFF_EXTENSION_FUNCTIONS(X)                                                              \
    X(GetMemoryFdPropertiesKHR)                                                                    \
    X(GetMemoryHostPointerPropertiesEXT)

struct DeviceFunctions {
#define X(name) PFN_vk##name vk##name = nullptr;
    V3DOFF_DEVICE_FUNCTIONS(X)
    V3DOFF_EXTENSION_FUNCTIONS(X)
#undef X
};

// Opens the loader, once in a process; nullptr if there is none.
PFN_vkGetInstanceProcAddr open_loader();

InstanceFunctions load_instance_functions(PFN_vkGetInstanceProcAddr get, VkInstance instance);
void load_device_functions(DeviceFunctions &table, const InstanceFunctions &instance,
                           VkDevice device);

// Devices are created and destroyed one at a time, and meanwhile no function is looked up. The
// loader, up to 1.4.341 at least, follows pointers to devices that another thread is freeing
// (KhronosGroup/Vulkan-Loader issues 200 and 2018).
VkResult create_device(const InstanceFunctions &instance, VkPhysicalDevice physical,
                       const VkDeviceCreateInfo &info, VkDevice &device);
void destroy_device(const DeviceFunctions &functions, VkDevice device);

// The name of a result code, for logs.
const char *result_name(VkResult result);

// Throws Error for a failed call: OUT_OF_MEMORY, DEVICE_BAD or INTERNAL.
void check(VkResult result, const char *call);

} // namespace v3doff::vk
