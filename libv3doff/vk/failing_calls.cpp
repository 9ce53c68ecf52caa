// SPDX-License-Identifier: BSD-2-Clause
#include "vk/failing_calls.hpp"

#include <type_traits>

#include "util/fault.hpp"
#include "util/log.hpp"

namespace v3doff::vk {
namespace {

template <auto member, typename Function>
struct Failing;

template <auto member, typename... Arguments>
struct Failing<member, VkResult(VKAPI_PTR *)(Arguments...)> {
    static inline PFN_vkVoidFunction real = nullptr;
    static inline const char *name = nullptr;

    static VKAPI_ATTR VkResult VKAPI_CALL call(Arguments... arguments) {
        auto function = reinterpret_cast<VkResult(VKAPI_PTR *)(Arguments...)>(real);
        bool fails = fault::hit(fault::Point::call);
        // A wait that fails ends a device; its work must be at an end too, as a driver sees to
        // when it gives a device up.
        constexpr bool waits =
            std::is_same_v<VkResult(VKAPI_PTR *)(Arguments...), PFN_vkWaitSemaphores>;
        VkResult result = !fails || waits ? function(arguments...) : VK_ERROR_OUT_OF_DEVICE_MEMORY;
        if (!fails) return result;
        LOG_INFO("fault: %s fails", name);
        return waits ? VK_ERROR_DEVICE_LOST : result;
    }
};

template <auto member>
void put_before(DeviceFunctions &table, const char *name) {
    using Function = std::remove_reference_t<decltype(table.*member)>;
    using Before = Failing<member, Function>;
    if (!(table.*member)) return; // of an extension that is not enabled
    Before::real = reinterpret_cast<PFN_vkVoidFunction>(table.*member);
    Before::name = name;
    table.*member = Before::call;
}

} // namespace

void make_calls_fail(DeviceFunctions &table) {
    put_before<&DeviceFunctions::vkAllocateCommandBuffers>(table, "vkAllocateCommandBuffers");
    put_before<&DeviceFunctions::vkAllocateDescriptorSets>(table, "vkAllocateDescriptorSets");
    put_before<&DeviceFunctions::vkAllocateMemory>(table, "vkAllocateMemory");
    put_before<&DeviceFunctions::vkBeginCommandBuffer>(table, "vkBeginCommandBuffer");
    put_before<&DeviceFunctions::vkBindBufferMemory>(table, "vkBindBufferMemory");
    put_before<&DeviceFunctions::vkCreateBuffer>(table, "vkCreateBuffer");
    put_before<&DeviceFunctions::vkCreateCommandPool>(table, "vkCreateCommandPool");
    put_before<&DeviceFunctions::vkCreateComputePipelines>(table, "vkCreateComputePipelines");
    put_before<&DeviceFunctions::vkCreateDescriptorPool>(table, "vkCreateDescriptorPool");
    put_before<&DeviceFunctions::vkCreateDescriptorSetLayout>(table, "vkCreateDescriptorSetLayout");
    put_before<&DeviceFunctions::vkCreatePipelineCache>(table, "vkCreatePipelineCache");
    put_before<&DeviceFunctions::vkCreatePipelineLayout>(table, "vkCreatePipelineLayout");
    put_before<&DeviceFunctions::vkCreateQueryPool>(table, "vkCreateQueryPool");
    put_before<&DeviceFunctions::vkCreateSemaphore>(table, "vkCreateSemaphore");
    put_before<&DeviceFunctions::vkCreateShaderModule>(table, "vkCreateShaderModule");
    put_before<&DeviceFunctions::vkEndCommandBuffer>(table, "vkEndCommandBuffer");
    put_before<&DeviceFunctions::vkFlushMappedMemoryRanges>(table, "vkFlushMappedMemoryRanges");
    put_before<&DeviceFunctions::vkGetMemoryFdPropertiesKHR>(table, "vkGetMemoryFdPropertiesKHR");
    put_before<&DeviceFunctions::vkGetMemoryHostPointerPropertiesEXT>(
        table, "vkGetMemoryHostPointerPropertiesEXT");
    put_before<&DeviceFunctions::vkGetPipelineCacheData>(table, "vkGetPipelineCacheData");
    put_before<&DeviceFunctions::vkGetQueryPoolResults>(table, "vkGetQueryPoolResults");
    put_before<&DeviceFunctions::vkInvalidateMappedMemoryRanges>(table,
                                                                 "vkInvalidateMappedMemoryRanges");
    put_before<&DeviceFunctions::vkMapMemory>(table, "vkMapMemory");
    put_before<&DeviceFunctions::vkQueueSubmit>(table, "vkQueueSubmit");
    put_before<&DeviceFunctions::vkResetCommandPool>(table, "vkResetCommandPool");
    put_before<&DeviceFunctions::vkWaitSemaphores>(table, "vkWaitSemaphores");
}

} // namespace v3doff::vk
