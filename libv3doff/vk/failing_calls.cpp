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
        if (!(table.*member)) return; // of an extension that is not enabled
        Before::real = reinterpret_cast<PFN_vkVoidFunction>(table.*member);
        Before::name = name;
        table.*member = Before::call;
    }
}

} // namespace

void make_calls_fail(DeviceFunctions &table) {
#define X(name) put_before<&DeviceFunctions::vk##name>(table, "vk" #name);
    V3DOFF_DEVICE_FUNCTIONS(X)
    V3DOFF_EXTENSION_FUNCTIONS(X)
#undef X
}

} // namespace v3doff::vk
