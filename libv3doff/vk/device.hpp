// SPDX-License-Identifier: BSD-2-Clause
// One open Vulkan device, own or borrowed, with its queue and pipelines.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "util/process.hpp"
#include "v3doff/vulkan.h"
#include "vk/instance.hpp"
#include "vk/self_tests.hpp"

namespace v3doff::vk {

class Pipelines;
class Timeline;

struct DeviceOptions {
    std::string select;
    bool allow_software = false;
    bool timers = false;
    unsigned submit_timeout_ms = 0; // 0: the device's default
    v3doff_memory_path memory = V3DOFF_MEMORY_AUTO;
    std::string cache_dir; // empty: no pipeline cache on disk
    bool keep = false;     // when it is unused, a layer above keeps it for the next user
    bool operator==(const DeviceOptions &) const = default;
};

// An object that a layer above keeps with a device. It is destroyed before the device.
class Companion {
  public:
    virtual ~Companion() = default;
};

class Device {
  public:
    static std::unique_ptr<Device> open(const DeviceOptions &options);
    // What can be known before a driver is loaded. Null: there may be a GPU.
    static const char *why_no_gpu(const DeviceOptions &options, Node must);
    static std::shared_ptr<Device> borrow(const v3doff_borrowed_vulkan &from,
                                          const DeviceOptions &options);
    ~Device();
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;

    const DeviceFunctions &fn() const { return fn_; }
    VkDevice handle() const { return handle_; }
    const Facts &facts() const { return facts_; }
    const Caps &caps() const { return caps_; }
    const DeviceOptions &options() const { return options_; }
    Pipelines &pipelines() { return *pipelines_; }
    Timeline &timeline() { return *timeline_; }
    SelfTests &self_tests() { return self_tests_; }

    // vkQueueSubmit, for the timeline, which makes one call at a time.
    VkResult queue_submit(const VkSubmitInfo &info);
    // The text for a call that failed. If the device is lost, marks it bad.
    std::string why_refused(VkResult result);

    // For the rest of the process (bad_devices.hpp). Only the first reason is logged. Allocates
    // nothing.
    void mark_bad(const char *reason);
    bool bad() const { return bad_.load(std::memory_order_acquire); }

    // True the first time, so that the log has a line only once for each device.
    bool first_time(const std::string &line);
    void forget_said() { warned_.clear(); } // while nobody uses it

    // A submit never ended: the GPU may still write. From then on nothing of this device is freed.
    // is_idle() is called when the process ends.
    void abandon(std::function<bool()> is_idle) {
        abandoned_ = true;
        // The owner of a borrowed one may have destroyed it by then.
        process::device_hangs(instance_ ? std::move(is_idle) : [] { return true; },
                              caps_.kind == V3DOFF_DEVICE_KIND_SOFTWARE);
    }
    bool abandoned() const { return abandoned_; }

    // The companion of this type. The first call makes it.
    template <typename T>
    T &companion() {
        std::lock_guard lock(companion_mutex_);
        if (!companion_) companion_ = std::make_unique<T>();
        return static_cast<T &>(*companion_);
    }

    // Whether open() with these options and the current environment would give the same device.
    bool serves(const DeviceOptions &options) const;

    // The first memory type of type_bits with all of the flags; none: UINT32_MAX.
    uint32_t memory_type(uint32_t type_bits, VkMemoryPropertyFlags flags) const;

  private:
    Device() = default;
    void create(const Instance::Candidate &candidate);
    void start(VkQueue queue);

    std::shared_ptr<Instance> instance_; // null: borrowed
    v3doff_borrowed_vulkan borrowed_{};
    DeviceOptions asked_, options_; // options_: with the device's defaults filled in
    Facts facts_;
    Caps caps_;
    DeviceFunctions fn_{};
    VkDevice handle_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    std::mutex warned_mutex_;
    std::vector<std::string> warned_;
    std::atomic<bool> bad_{false}, abandoned_{false};
    SelfTests self_tests_;
    std::unique_ptr<Pipelines> pipelines_;
    std::unique_ptr<Timeline> timeline_;
    std::mutex companion_mutex_;
    std::unique_ptr<Companion> companion_;
};

} // namespace v3doff::vk
