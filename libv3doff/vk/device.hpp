// SPDX-License-Identifier: BSD-2-Clause
// One open Vulkan device, own or borrowed, with its queue and pipelines.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "v3doff/vulkan.h"
#include "vk/instance.hpp"

namespace v3doff::vk {

class Pipelines;
class Timeline;

struct DeviceOptions {
    std::string select;
    bool allow_software = false;
    bool timers = false;
    unsigned submit_timeout_ms = 0; // 0: as the device needs it
    v3doff_memory_path memory = V3DOFF_MEMORY_AUTO;
    std::string cache_dir; // empty: no pipeline cache on disk
    bool keep = false;     // once nobody uses it, for the next one: a layer above does that
    bool operator==(const DeviceOptions &) const = default;
};

// What a layer above keeps with a device. It goes before the device does.
class Companion {
  public:
    virtual ~Companion() = default;
};

class Device {
  public:
    static std::unique_ptr<Device> open(const DeviceOptions &options);
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

    // vkQueueSubmit, for the timeline, which makes one call at a time.
    VkResult queue_submit(const VkSubmitInfo &info);
    // What is to be said when it did not succeed. A device that is lost is bad from then on.
    std::string why_refused(VkResult result);

    // Sticky for the process (bad_devices.hpp); the first reason is logged, once.
    void mark_bad(const std::string &reason);
    bool bad() const { return bad_.load(std::memory_order_acquire); }

    // True for the first time that this is said of the device: a stream's log says a thing once.
    bool first_time(const std::string &line);
    void forget_said() { warned_.clear(); } // while nobody uses it

    // A submit never ended: the GPU may still write. From then on nothing of this device is freed.
    void abandon() { abandoned_ = true; }
    bool abandoned() const { return abandoned_; }

    // Of one type; made by who asks first.
    template <typename T>
    T &companion() {
        std::lock_guard lock(companion_mutex_);
        if (!companion_) companion_ = std::make_unique<T>();
        return static_cast<T &>(*companion_);
    }

    // Whether it is what open() would make of these options and the environment now.
    bool serves(const DeviceOptions &options) const;

    // The first memory type of type_bits with all of the flags; none: UINT32_MAX.
    uint32_t memory_type(uint32_t type_bits, VkMemoryPropertyFlags flags) const;

  private:
    Device() = default;
    void create(const Instance::Candidate &candidate);
    void start(VkQueue queue);

    std::shared_ptr<Instance> instance_; // null: borrowed
    v3doff_borrowed_vulkan borrowed_{};
    DeviceOptions asked_, options_; // options_: with what was left to the device
    Facts facts_;
    Caps caps_;
    DeviceFunctions fn_{};
    VkDevice handle_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    std::mutex warned_mutex_;
    std::vector<std::string> warned_;
    std::atomic<bool> bad_{false}, abandoned_{false};
    std::unique_ptr<Pipelines> pipelines_;
    std::unique_ptr<Timeline> timeline_;
    std::mutex companion_mutex_;
    std::unique_ptr<Companion> companion_;
};

} // namespace v3doff::vk
