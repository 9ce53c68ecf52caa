// SPDX-License-Identifier: BSD-2-Clause
#include "vk/instance.hpp"

#include <mutex>

#include "util/error.hpp"
#include "util/log.hpp"

namespace v3doff::vk {

std::shared_ptr<Instance> Instance::get() {
    static std::mutex mutex;
    // Never destroyed: threads may be here when the process ends.
    static auto &shared = *new std::weak_ptr<Instance>;
    std::lock_guard lock(mutex);
    auto instance = shared.lock();
    if (!instance) shared = instance = std::make_shared<Instance>();
    return instance;
}

Instance::Instance() {
    PFN_vkGetInstanceProcAddr get = open_loader();
    if (!get) throw Error(V3DOFF_ERROR_NO_VULKAN, "there is no Vulkan loader (libvulkan.so.1)");
    auto create = reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"));
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.pApplicationName = "libv3doff";
    application.pEngineName = "libv3doff";
    application.engineVersion = V3DOFF_VERSION;
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    VkResult result = create ? create(&info, nullptr, &handle_) : VK_ERROR_INITIALIZATION_FAILED;
    if (result != VK_SUCCESS)
        throw Error(V3DOFF_ERROR_NO_DEVICE,
                    std::string("no Vulkan driver: vkCreateInstance: ") + result_name(result));
    functions_ = load_instance_functions(get, handle_);
}

Instance::~Instance() {
    if (handle_) functions_.DestroyInstance(handle_, nullptr);
}

std::vector<Instance::Candidate> Instance::devices() const {
    uint32_t count = 0;
    VkResult result = functions_.EnumeratePhysicalDevices(handle_, &count, nullptr);
    std::vector<VkPhysicalDevice> handles(count);
    if (result == VK_SUCCESS && count)
        result = functions_.EnumeratePhysicalDevices(handle_, &count, handles.data());
    if (result < 0)
        throw Error(V3DOFF_ERROR_NO_DEVICE,
                    std::string("vkEnumeratePhysicalDevices: ") + result_name(result));
    handles.resize(count);
    std::vector<Candidate> list;
    for (VkPhysicalDevice handle : handles) {
        Candidate candidate;
        candidate.extensions = device_extensions(functions_, handle);
        candidate.facts = read_facts(functions_, handle, candidate.extensions);
        candidate.caps = judge(candidate.facts);
        list.push_back(std::move(candidate));
    }
    return list;
}

} // namespace v3doff::vk
