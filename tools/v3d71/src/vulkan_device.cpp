// SPDX-License-Identifier: BSD-2-Clause
// The only file that contains the loader: volk opens libvulkan at run time.
#define VOLK_IMPLEMENTATION
#include "vulkan_device.hpp"

#include <cstring>
#include <optional>
#include <vector>

#include "stderr_capture.hpp"

namespace v3doff::v3d71 {

void check(VkResult result, const char *call) {
    if (result == VK_SUCCESS) return;
    const std::string name(call, strcspn(call, "("));
    throw std::runtime_error(name + " failed with VkResult " + std::to_string(result));
}

VulkanDevice::VulkanDevice(uint32_t index) {
    if (volkInitialize() != VK_SUCCESS)
        throw std::runtime_error("no Vulkan loader (libvulkan.so.1)");
    VkApplicationInfo app{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    app.apiVersion = VK_API_VERSION_1_3;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &app;
    V3D71_CHECK(vkCreateInstance(&info, nullptr, &instance));
    volkLoadInstance(instance);

    uint32_t count = 0;
    V3D71_CHECK(vkEnumeratePhysicalDevices(instance, &count, nullptr));
    std::vector<VkPhysicalDevice> all(count);
    V3D71_CHECK(vkEnumeratePhysicalDevices(instance, &count, all.data()));
    if (index >= count)
        throw std::runtime_error("no Vulkan device " + std::to_string(index) + " (" +
                                 std::to_string(count) + " found)");
    physical = all[index];
    vkGetPhysicalDeviceProperties(physical, &properties);
    if (properties.apiVersion < VK_API_VERSION_1_2)
        throw std::runtime_error(std::string(properties.deviceName) + " has no Vulkan 1.2");
    driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    VkPhysicalDeviceProperties2 properties2{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    properties2.pNext = &driver;
    vkGetPhysicalDeviceProperties2(physical, &properties2);
}

VulkanDevice::~VulkanDevice() {
    if (device) vkDestroyDevice(device, nullptr);
    if (instance) vkDestroyInstance(instance, nullptr);
}

std::string VulkanDevice::describe() const {
    return std::string(properties.deviceName) + " (" + driver.driverName + ", " +
           driver.driverInfo + ")";
}

bool VulkanDevice::has_extension(const char *name) const {
    uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> all(count);
    vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, all.data());
    for (const auto &extension : all)
        if (!strcmp(extension.extensionName, name)) return true;
    return false;
}

void VulkanDevice::create(bool robust, bool verbose) {
    VkPhysicalDeviceFeatures2 f{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceVulkan11Features f11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    VkPhysicalDeviceVulkan12Features f12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan13Features f13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executable{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
    f.pNext = &f11;
    f11.pNext = &f12;
    void **tail = &f12.pNext;
    if (properties.apiVersion >= VK_API_VERSION_1_3) {
        *tail = &f13;
        tail = &f13.pNext;
    }
    std::vector<const char *> extensions;
    executable_properties = has_extension(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
    if (executable_properties) {
        *tail = &executable;
        extensions.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
    }
    vkGetPhysicalDeviceFeatures2(physical, &f);
    f.features.robustBufferAccess = robust;
    f13.robustImageAccess = robust;

    const float priority = 1;
    VkDeviceQueueCreateInfo queue_info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue_info.queueCount = 1;
    queue_info.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &f;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue_info;
    info.enabledExtensionCount = uint32_t(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    std::optional<StderrCapture> hide; // v3dv compiles four internal shaders here
    if (!verbose) hide.emplace();
    const VkResult result = vkCreateDevice(physical, &info, nullptr, &device);
    hide.reset();
    check(result, "vkCreateDevice");
    volkLoadDevice(device);
    vkGetDeviceQueue(device, 0, 0, &queue);
}

} // namespace v3doff::v3d71
