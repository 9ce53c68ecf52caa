// SPDX-License-Identifier: BSD-2-Clause
#include "vk/functions.hpp"

// volk's header once more, now with its implementation. In a unity build another source may have
// included it before.
#define VOLK_IMPLEMENTATION
#include <volk.h>
#undef VOLK_IMPLEMENTATION

#include <mutex>
#include <string>

#include "util/env.hpp"
#include "util/error.hpp"
#include "util/fault.hpp"
#include "util/process.hpp"
#include "vk/failing_calls.hpp"

namespace v3doff::vk {
namespace {

// Protects volk's globals, which only this file uses, and the loader's list of devices.
std::mutex loader_mutex;

} // namespace

PFN_vkGetInstanceProcAddr open_loader() {
    if (fault::hit(fault::Point::loader)) return nullptr;
    if (env::has_other_rights()) return nullptr;
    process::uses_device();
    std::lock_guard lock(loader_mutex);
    static const bool opened = volkInitialize() == VK_SUCCESS;
    return opened ? vkGetInstanceProcAddr : nullptr;
}

InstanceFunctions load_instance_functions(PFN_vkGetInstanceProcAddr get, VkInstance instance) {
    InstanceFunctions table;
#define X(name)                                                                                    \
    table.name = reinterpret_cast<PFN_vk##name>(get(instance, "vk" #name));                        \
    if (!table.name) throw Error(V3DOFF_ERROR_NO_VULKAN, "the Vulkan loader lacks vk" #name);
    V3DOFF_INSTANCE_FUNCTIONS(X)
#undef X
    return table;
}

void load_device_functions(DeviceFunctions &table, const InstanceFunctions &instance,
                           VkDevice device) {
    std::lock_guard lock(loader_mutex);
    const auto look_up = [&](const char *name) { return instance.GetDeviceProcAddr(device, name); };
#define X(name) table.vk##name = reinterpret_cast<PFN_vk##name>(look_up("vk" #name));
    V3DOFF_DEVICE_FUNCTIONS(X)
    V3DOFF_EXTENSION_FUNCTIONS(X)
#undef X
#define X(name)                                                                                    \
    if (!table.vk##name) throw Error(V3DOFF_ERROR_NO_DEVICE, "the Vulkan driver lacks vk" #name);
    V3DOFF_DEVICE_FUNCTIONS(X)
#undef X
    if (fault::armed(fault::Point::call)) make_calls_fail(table);
}

VkResult create_device(const InstanceFunctions &instance, VkPhysicalDevice physical,
                       const VkDeviceCreateInfo &info, VkDevice &device) {
    std::lock_guard lock(loader_mutex);
    return instance.CreateDevice(physical, &info, nullptr, &device);
}

void destroy_device(const DeviceFunctions &functions, VkDevice device) {
    std::lock_guard lock(loader_mutex);
    functions.vkDestroyDevice(device, nullptr);
}

const char *result_name(VkResult result) {
    switch (result) {
    case VK_SUCCESS:
        return "VK_SUCCESS";
    case VK_TIMEOUT:
        return "VK_TIMEOUT";
    case VK_NOT_READY:
        return "VK_NOT_READY";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED:
        return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_DEVICE_LOST:
        return "VK_ERROR_DEVICE_LOST";
    case VK_ERROR_LAYER_NOT_PRESENT:
        return "VK_ERROR_LAYER_NOT_PRESENT";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return "VK_ERROR_EXTENSION_NOT_PRESENT";
    case VK_ERROR_FEATURE_NOT_PRESENT:
        return "VK_ERROR_FEATURE_NOT_PRESENT";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "VK_ERROR_INCOMPATIBLE_DRIVER";
    case VK_ERROR_TOO_MANY_OBJECTS:
        return "VK_ERROR_TOO_MANY_OBJECTS";
    case VK_ERROR_INVALID_EXTERNAL_HANDLE:
        return "VK_ERROR_INVALID_EXTERNAL_HANDLE";
    default:
        return "an unexpected VkResult";
    }
}

void check(VkResult result, const char *call) {
    if (result >= 0) return;
    v3doff_result code = V3DOFF_ERROR_INTERNAL;
    if (result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY ||
        result == VK_ERROR_TOO_MANY_OBJECTS || result == VK_ERROR_INVALID_EXTERNAL_HANDLE)
        code = V3DOFF_ERROR_OUT_OF_MEMORY;
    else if (result == VK_ERROR_DEVICE_LOST || result == VK_ERROR_INITIALIZATION_FAILED)
        code = V3DOFF_ERROR_DEVICE_BAD;
    throw Error(code, std::string(call) + ": " + result_name(result));
}

} // namespace v3doff::vk
