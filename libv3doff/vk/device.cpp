// SPDX-License-Identifier: BSD-2-Clause
#include "vk/device.hpp"

#include <algorithm>
#include <list>
#include <thread>

#include "util/descriptors.hpp"
#include "util/env.hpp"
#include "util/error.hpp"
#include "util/fault.hpp"
#include "util/log.hpp"
#include "util/process.hpp"
#include "vk/bad_devices.hpp"
#include "vk/debug_keys.hpp"
#include "vk/pipelines.hpp"
#include "vk/timeline.hpp"

namespace v3doff::vk {
namespace {

// Enabled if present, for the memory paths. None of them is required.
constexpr const char *optional_extensions[] = {
    VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME,
    VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
    VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME,
};

void refuse_bad(const Facts &facts) {
    if (auto reason = bad_reason(facts.uuid); !reason.empty())
        throw Error(V3DOFF_ERROR_DEVICE_BAD, facts.name + " failed before: " + reason);
}

} // namespace

const char *Device::why_no_gpu(const DeviceOptions &options, Node must) {
    if (options.allow_software) return nullptr;
    if (descriptors::are_scarce()) return "the program has few file descriptors left";
    if (fault::armed(fault::Point::kind) || has_gpu_node(must)) return nullptr;
    return "no GPU: this process can open none of /dev/dri/renderD*, /dev/nvidiactl, /dev/dxg, "
           "/dev/mali0, /dev/kgsl-3d0";
}

std::unique_ptr<Device> Device::open(const DeviceOptions &options) {
    const bool slow = fault::hit(fault::Point::slow_open);
    if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(250));
    process::Loading loading;
    std::unique_ptr<Device> device(new Device);
    device->asked_ = device->options_ = options;
    if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(250));
    if (const char *reason = why_no_gpu(options, Node::opens))
        throw Error(V3DOFF_ERROR_NO_DEVICE, reason);
    device->instance_ = Instance::get();
    auto candidates = device->instance_->devices();
    size_t index = select_device(candidates, options.select, options.allow_software);
    refuse_bad(candidates[index].facts);
    device->create(candidates[index]);
    return device;
}

std::shared_ptr<Device> Device::borrow(const v3doff_borrowed_vulkan &from,
                                       const DeviceOptions &options) {
    if (env::has_other_rights())
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "the program has the rights of another user");
    process::uses_device();
    process::come_first();
    std::shared_ptr<Device> device(new Device);
    device->options_ = options;
    device->options_.keep = false; // its owner decides how long it lives
    device->borrowed_ = from;
    auto functions = load_instance_functions(from.get_instance_proc_addr, from.instance);
    ExtensionNames extensions(from.extensions, from.extensions + from.extension_count);
    device->facts_ = read_facts(functions, from.physical_device, extensions);
    device->facts_.queue_family = from.queue_family;
    device->caps_ = judge(device->facts_);
    if (!device->caps_.missing.empty())
        throw Error(V3DOFF_ERROR_NO_DEVICE,
                    device->facts_.name + " lacks " + device->caps_.missing);
    if (device->caps_.software && !options.allow_software)
        throw Error(V3DOFF_ERROR_NO_DEVICE, device->facts_.name + " is a software device");
    refuse_bad(device->facts_);
    load_device_functions(device->fn_, functions, from.device);
    device->handle_ = from.device;
    device->start(from.queue);
    return device;
}

bool Device::serves(const DeviceOptions &options) const {
    return options == asked_ && judge(facts_) == caps_ && bad_reason(facts_.uuid).empty();
}

void Device::create(const Instance::Candidate &candidate) {
    facts_ = candidate.facts;
    caps_ = candidate.caps;
    std::vector<const char *> names;
    for (const char *name : optional_extensions)
        if (contains(candidate.extensions, name)) names.push_back(name);

    VkPhysicalDeviceVulkan12Features features{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    features.timelineSemaphore = VK_TRUE;
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = *facts_.queue_family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &features;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = uint32_t(names.size());
    info.ppEnabledExtensionNames = names.data();
    const InstanceFunctions &instance = instance_->functions();
    VkResult result = fault::hit(fault::Point::create_device)
                          ? VK_ERROR_INITIALIZATION_FAILED
                          : create_device(instance, facts_.handle, info, handle_);
    if (result != VK_SUCCESS)
        mark_bad((std::string("vkCreateDevice: ") + result_name(result)).c_str());
    check(result, "vkCreateDevice");
    load_device_functions(fn_, instance, handle_);
    VkQueue first = VK_NULL_HANDLE;
    fn_.vkGetDeviceQueue(handle_, *facts_.queue_family, 0, &first);
    start(first);
}

void Device::start(VkQueue queue) {
    queue_ = queue;
    if (!options_.submit_timeout_ms) options_.submit_timeout_ms = caps_.submit_timeout_ms;
    if (debug::switched(debug::self_test, false)) self_tests_.want(~0u);
    pipelines_ = std::make_unique<Pipelines>(*this);
    timeline_ = std::make_unique<Timeline>(*this);
    LOG_INFO("device: %s, %s", facts_.name.c_str(), facts_.driver.c_str());
}

Device::~Device() {
    companion_.reset();
    timeline_.reset(); // its threads first: they may save the pipeline cache
    pipelines_.reset();
    if (!instance_) return;
    const process::Unforked unforked; // the driver may be unloaded
    if (handle_ && !abandoned_) destroy_device(fn_, handle_);
    // An abandoned VkDevice needs its instance for as long as the process runs.
    static auto *kept = new std::list<std::shared_ptr<Instance>>;
    if (abandoned_) kept->push_back(instance_);
    instance_.reset();
}

VkResult Device::queue_submit(const VkSubmitInfo &info) {
    if (fault::hit(fault::Point::submit)) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (borrowed_.lock_queue) borrowed_.lock_queue(borrowed_.opaque);
    VkResult result = fn_.vkQueueSubmit(queue_, 1, &info, VK_NULL_HANDLE);
    if (borrowed_.unlock_queue) borrowed_.unlock_queue(borrowed_.opaque);
    return result;
}

std::string Device::why_refused(VkResult result) {
    const std::string reason = std::string("vkQueueSubmit: ") + result_name(result);
    if (result == VK_ERROR_DEVICE_LOST) mark_bad(reason.c_str());
    return reason;
}

void Device::mark_bad(const char *reason) {
    bad_.store(true, std::memory_order_release);
    if (register_bad(facts_.uuid, reason))
        LOG_ERROR("%s: %s; this process continues without it", facts_.name.c_str(), reason);
}

bool Device::first_time(const std::string &line) {
    constexpr size_t most = 32; // after these, no line counts as new
    std::lock_guard lock(warned_mutex_);
    if (warned_.size() == most || std::find(warned_.begin(), warned_.end(), line) != warned_.end())
        return false;
    warned_.push_back(line);
    return true;
}

uint32_t Device::memory_type(uint32_t type_bits, VkMemoryPropertyFlags flags) const {
    for (uint32_t i = 0; i < facts_.memory.memoryTypeCount; i++)
        if ((type_bits >> i & 1) && (facts_.memory.memoryTypes[i].propertyFlags & flags) == flags)
            return i;
    return UINT32_MAX;
}

} // namespace v3doff::vk
