// SPDX-License-Identifier: BSD-2-Clause
// Vulkan's entry points, a table an instance and a table a device: none is global, so several
// devices, own and borrowed, live side by side.
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

// volk's table of every device entry point; members keep their vk prefix.
using DeviceFunctions = VolkDeviceTable;

// Opens the loader once a process; nullptr where there is none.
PFN_vkGetInstanceProcAddr open_loader();

InstanceFunctions load_instance_functions(PFN_vkGetInstanceProcAddr get, VkInstance instance);
void load_device_functions(DeviceFunctions &table, const InstanceFunctions &instance,
                           VkDevice device);

// The name of a result code, for logs.
const char *result_name(VkResult result);

// Throws Error for a failed call: OUT_OF_MEMORY, DEVICE_BAD or INTERNAL.
void check(VkResult result, const char *call);

} // namespace v3doff::vk
