// SPDX-License-Identifier: BSD-2-Clause
#include "report/vulkan.hpp"

#include <cstring>
#include <dlfcn.h>
#include <stdexcept>
#include <string>

// Instance and device functions alike, by name: none of them is called often.
#define CALL(name) get<PFN_##name>(#name)

namespace tool::report {
namespace {

// void main() {}, in workgroups of one invocation.
constexpr uint32_t empty_shader[] = {
    0x07230203, 0x00010000, 0,  6,          0,    // magic, version 1.0, identifiers below 6
    0x00020011, 1,                                // capability Shader
    0x0003000e, 0,          1,                    // memory model Logical GLSL450
    0x0005000f, 5,          4,  0x6e69616d, 0,    // entry point GLCompute %4 "main"
    0x00060010, 4,          17, 1,          1, 1, // execution mode %4 LocalSize 1 1 1
    0x00020013, 2,                                // %2 = void
    0x00030021, 3,          2,                    // %3 = function of void
    0x00050036, 2,          4,  0,          3,    // %4 = function
    0x000200f8, 5,                                // %5 = label
    0x000100fd,                                   // return
    0x00010038,                                   // end of function
};

void check(VkResult result, const char *what) {
    if (result < 0)
        throw std::runtime_error(std::string(what) + ": VkResult " + std::to_string(result));
}

} // namespace

template <typename Function>
Function Vulkan::get(const char *name) const {
    auto function = reinterpret_cast<Function>(entry_(instance_, name));
    if (!function) throw std::runtime_error(std::string("no ") + name);
    return function;
}

Vulkan::Vulkan(const uint8_t (&uuid)[16]) {
    library_ = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error("no libvulkan.so.1");
    entry_ = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library_, "vkGetInstanceProcAddr"));
    if (!entry_) throw std::runtime_error("no vkGetInstanceProcAddr");
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    check(CALL(vkCreateInstance)(&info, nullptr, &instance_), "vkCreateInstance");
    find(uuid);
    create_device();
    create_pipeline();
}

Vulkan::~Vulkan() {
    unmap();
    if (device_) {
        CALL(vkDestroyFence)(device_, fence_, nullptr);
        CALL(vkDestroyCommandPool)(device_, pool_, nullptr);
        CALL(vkDestroyPipeline)(device_, pipeline_, nullptr);
        CALL(vkDestroyPipelineLayout)(device_, layout_, nullptr);
        CALL(vkDestroyShaderModule)(device_, shader_, nullptr);
        CALL(vkDestroyDevice)(device_, nullptr);
    }
    if (instance_) CALL(vkDestroyInstance)(instance_, nullptr);
}

void Vulkan::find(const uint8_t (&uuid)[16]) {
    uint32_t count = 0;
    check(CALL(vkEnumeratePhysicalDevices)(instance_, &count, nullptr), "listing devices");
    std::vector<VkPhysicalDevice> all(count);
    check(CALL(vkEnumeratePhysicalDevices)(instance_, &count, all.data()), "listing devices");
    for (VkPhysicalDevice each : all) {
        VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
        VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
        properties.pNext = &id;
        CALL(vkGetPhysicalDeviceProperties2)(each, &properties);
        if (std::memcmp(id.deviceUUID, uuid, sizeof uuid) == 0) physical_ = each;
    }
    if (!physical_) throw std::runtime_error("the driver does not list the device");
    CALL(vkGetPhysicalDeviceMemoryProperties)(physical_, &memory_);
    CALL(vkGetPhysicalDeviceQueueFamilyProperties)(physical_, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    CALL(vkGetPhysicalDeviceQueueFamilyProperties)(physical_, &count, families.data());
    while (family_ < count && !(families[family_].queueFlags & VK_QUEUE_COMPUTE_BIT))
        family_++;
    if (family_ == count) throw std::runtime_error("no compute queue");
}

void Vulkan::create_device() {
    const float priority = 1;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = family_;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    check(CALL(vkCreateDevice)(physical_, &info, nullptr, &device_), "vkCreateDevice");
    CALL(vkGetDeviceQueue)(device_, family_, 0, &queue_);
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool.queueFamilyIndex = family_;
    check(CALL(vkCreateCommandPool)(device_, &pool, nullptr, &pool_), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    commands.commandPool = pool_;
    commands.commandBufferCount = 1;
    check(CALL(vkAllocateCommandBuffers)(device_, &commands, &commands_), "command buffer");
    VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    check(CALL(vkCreateFence)(device_, &fence, nullptr, &fence_), "vkCreateFence");
}

void Vulkan::create_pipeline() {
    VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    code.codeSize = sizeof empty_shader;
    code.pCode = empty_shader;
    check(CALL(vkCreateShaderModule)(device_, &code, nullptr, &shader_), "vkCreateShaderModule");
    VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    check(CALL(vkCreatePipelineLayout)(device_, &layout, nullptr, &layout_), "pipeline layout");
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.layout = layout_;
    info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = shader_;
    info.stage.pName = "main";
    check(CALL(vkCreateComputePipelines)(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_),
          "vkCreateComputePipelines");
}

void *Vulkan::map(uint32_t type, size_t bytes) {
    unmap();
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.allocationSize = bytes;
    info.memoryTypeIndex = type;
    void *data = nullptr;
    if (CALL(vkAllocateMemory)(device_, &info, nullptr, &mapped_) != VK_SUCCESS) return nullptr;
    if (CALL(vkMapMemory)(device_, mapped_, 0, VK_WHOLE_SIZE, 0, &data) == VK_SUCCESS) return data;
    unmap();
    return nullptr;
}

void Vulkan::unmap() {
    if (mapped_) CALL(vkFreeMemory)(device_, mapped_, nullptr);
    mapped_ = VK_NULL_HANDLE;
}

void Vulkan::record(unsigned dispatches) {
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(CALL(vkBeginCommandBuffer)(commands_, &begin), "vkBeginCommandBuffer");
    VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    barrier.srcAccessMask = barrier.dstAccessMask =
        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    if (dispatches) CALL(vkCmdBindPipeline)(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
    for (unsigned i = 0; i < dispatches; i++) {
        constexpr VkPipelineStageFlags shaders = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
        if (i) CALL(vkCmdPipelineBarrier)
        (commands_, shaders, shaders, 0, 1, &barrier, 0, nullptr, 0, nullptr);
        CALL(vkCmdDispatch)(commands_, 1, 1, 1);
    }
    check(CALL(vkEndCommandBuffer)(commands_), "vkEndCommandBuffer");
}

void Vulkan::submit() {
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands_;
    static const auto submit_to = CALL(vkQueueSubmit);
    check(submit_to(queue_, 1, &info, fence_), "vkQueueSubmit");
}

void Vulkan::wait() {
    static const auto wait_for = CALL(vkWaitForFences);
    check(wait_for(device_, 1, &fence_, VK_TRUE, UINT64_MAX), "vkWaitForFences");
    check(CALL(vkResetFences)(device_, 1, &fence_), "vkResetFences");
}

} // namespace tool::report
