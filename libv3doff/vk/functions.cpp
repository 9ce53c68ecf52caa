// SPDX-License-Identifier: BSD-2-Clause
#include "vk/functions.hpp"

// volk's header once more, now with its implementation. In a unity build another source may have
// included it before.
#define VOLK_IMPLEMENTATION
#include <volk.h>
#undef VOLK_IMPLEMENTATION

#include <mutex>
#include <string>
#include <type_traits>

#include "util/env.hpp"
#include "util/error.hpp"
#include "util/fault.hpp"
#include "util/log.hpp"
#include "util/process.hpp"

namespace v3doff::vk {
namespace {

// Protects volk's globals, which only this file uses, and the loader's list of devices.
std::mutex loader_mutex;

// V3DOFF_FAULT=call:n: the nth call of a device's function that returns a VkResult fails. Only for
// tests with one driver in the process.
template <auto member, typename Function>
struct Failing;

template <auto member, typename... Arguments>
struct Failing<member, VkResult(VKAPI_PTR *)(Arguments...)> {
    static inline PFN_vkVoidFunction real = nullptr;
    static inline const char *name = nullptr;

    static VKAPI_ATTR VkResult VKAPI_CALL call(Arguments... arguments) {
        auto function = reinterpret_cast<VkResult(VKAPI_PTR *)(Arguments...)>(real);
        if (!fault::hit(fault::Point::call)) return function(arguments...);
        LOG_INFO("fault: %s fails", name);
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
};

template <typename Function>
constexpr bool can_fail = false;
template <typename... Arguments>
constexpr bool can_fail<VkResult(VKAPI_PTR *)(Arguments...)> = true;
// Only the fault "late" calls it.
template <>
constexpr bool can_fail<PFN_vkSignalSemaphore> = false;

template <auto member>
void put_before(DeviceFunctions &table, const char *name) {
    using Function = std::remove_reference_t<decltype(table.*member)>;
    if constexpr (can_fail<Function>) {
        using Before = Failing<member, Function>;
        if (!(table.*member)) return; // its extension is not enabled
        Before::real = reinterpret_cast<PFN_vkVoidFunction>(table.*member);
        Before::name = name;
        table.*member = Before::call;
    }
}

// Replaces each function of the table by one that first asks whether it must fail.
void make_calls_fail(DeviceFunctions &table) {
#define X(name) put_before<&DeviceFunctions::vk##name>(table, "vk" #name);
    V3DOFF_DEVICE_FUNCTIONS(X)
    V3DOFF_EXTENSION_FUNCTIONS(X)
#undef X
}

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
#define X(name)                                                                                    \
    case name:                                                                                     \
        return #name;
    switch (result) {
        X(VK_SUCCESS)
        X(VK_TIMEOUT)
        X(VK_NOT_READY)
        X(VK_ERROR_OUT_OF_HOST_MEMORY)
        X(VK_ERROR_OUT_OF_DEVICE_MEMORY)
        X(VK_ERROR_INITIALIZATION_FAILED)
        X(VK_ERROR_DEVICE_LOST)
        X(VK_ERROR_LAYER_NOT_PRESENT)
        X(VK_ERROR_EXTENSION_NOT_PRESENT)
        X(VK_ERROR_FEATURE_NOT_PRESENT)
        X(VK_ERROR_INCOMPATIBLE_DRIVER)
        X(VK_ERROR_TOO_MANY_OBJECTS)
        X(VK_ERROR_INVALID_EXTERNAL_HANDLE)
    default:
        return "an unexpected VkResult";
    }
#undef X
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
