// SPDX-License-Identifier: BSD-2-Clause
// The loader's list of devices is changed by one thread at a time, and looked into by none
// meanwhile.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "util/error.hpp"
#include "vk/functions.hpp"

using namespace v3doff;

namespace {

std::atomic<int> inside, overlaps, calls;
std::atomic<const char *> missing;

// As the loader's part of a call: long enough that two would meet.
struct Visit {
    Visit() {
        calls++;
        if (inside++) overlaps++;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    ~Visit() { inside--; }
};

VKAPI_ATTR VkResult VKAPI_CALL create(VkPhysicalDevice, const VkDeviceCreateInfo *,
                                      const VkAllocationCallbacks *, VkDevice *) {
    Visit visit;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL destroy(VkDevice, const VkAllocationCallbacks *) {
    Visit visit;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL look_up(VkDevice, const char *name) {
    Visit visit;
    const char *lacks = missing;
    if (lacks && !std::strcmp(name, lacks)) return nullptr;
    return reinterpret_cast<PFN_vkVoidFunction>(destroy);
}

vk::InstanceFunctions instance_functions() {
    vk::InstanceFunctions functions;
    functions.CreateDevice = create;
    functions.GetDeviceProcAddr = look_up;
    return functions;
}

} // namespace

TEST(DeviceList, IsUsedByOneThreadAtATime) {
    inside = overlaps = calls = 0;
    missing = nullptr;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([] {
            const auto instance = instance_functions();
            for (int round = 0; round < 5; round++) {
                VkDevice device = VK_NULL_HANDLE;
                vk::DeviceFunctions functions;
                EXPECT_EQ(vk::create_device(instance, VK_NULL_HANDLE, {}, device), VK_SUCCESS);
                vk::load_device_functions(functions, instance, device);
                vk::destroy_device(functions, device);
            }
        });
    for (auto &thread : threads)
        thread.join();
    EXPECT_GE(calls, 4 * 5 * 50);
    EXPECT_EQ(overlaps, 0);
}

TEST(DeviceList, FunctionsOfExtensionsMayBeMissingAndOthersNot) {
    const auto instance = instance_functions();
    vk::DeviceFunctions functions;
    missing = "vkGetMemoryFdPropertiesKHR";
    EXPECT_NO_THROW(vk::load_device_functions(functions, instance, VK_NULL_HANDLE));
    EXPECT_FALSE(functions.vkGetMemoryFdPropertiesKHR);
    EXPECT_TRUE(functions.vkGetMemoryHostPointerPropertiesEXT);
    missing = "vkCmdDispatch";
    EXPECT_THROW(vk::load_device_functions(functions, instance, VK_NULL_HANDLE), Error);
    EXPECT_TRUE(functions.vkDestroyDevice); // the way back
    missing = nullptr;
}
