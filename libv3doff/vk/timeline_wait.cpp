// SPDX-License-Identifier: BSD-2-Clause
// How long the thread waits for a submit, and what it does if the submit does not end.
#include <algorithm>
#include <cstdio>

#include "util/fault.hpp"
#include "vk/device.hpp"
#include "vk/timeline.hpp"

namespace v3doff::vk {
namespace {

constexpr auto lateness = std::chrono::milliseconds(5);
constexpr auto pause = std::chrono::milliseconds(1); // after a wait that failed

} // namespace

// Only a lost device has stopped. After any other error, such as no memory or a system call that a
// sandbox refuses, the GPU may still be writing.
VkResult Timeline::wait_value(uint64_t value, Clock::time_point until) {
    while (true) {
        const VkResult result = try_to_wait(value, until);
        if (result == VK_SUCCESS || result == VK_TIMEOUT || result == VK_ERROR_DEVICE_LOST)
            return result;
        if (Clock::now() >= until) return VK_TIMEOUT;
        std::this_thread::sleep_for(pause);
    }
}

VkResult Timeline::try_to_wait(uint64_t value, Clock::time_point until) {
    if (fault::hit(fault::Point::wait)) return VK_ERROR_OUT_OF_HOST_MEMORY;
    auto left = std::max(until - Clock::now(), Clock::duration::zero());
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore_;
    info.pValues = &value;
    return device_.fn().vkWaitSemaphores(
        device_.handle(), &info,
        uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(left).count()));
}

// Code that wrongly touches a picture's samples too early has had the time to do so.
void Timeline::open_gate(const Pending &pending) {
    std::this_thread::sleep_for(lateness);
    VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    info.semaphore = gate_;
    info.value = pending.value_;
    device_.fn().vkSignalSemaphore(device_.handle(), &info);
}

// The limit does not include the time that a submit waited behind others.
VkResult Timeline::wait_in_time(const Pending &pending) {
    const auto limit = std::chrono::milliseconds(stuck_ ? 0 : device_.options().submit_timeout_ms);
    return wait_value(pending.value_, std::max(pending.since_, last_done_) + limit);
}

Outcome Timeline::wait_for(const Pending &pending) {
    if (pending.late_) open_gate(pending);
    VkResult result = wait_in_time(pending);
    if (result == VK_SUCCESS && fault::hit(fault::Point::lost)) result = VK_ERROR_DEVICE_LOST;
    if (result == VK_SUCCESS) return {true, ""};
    if (result == VK_TIMEOUT) return wait_late(pending);
    device_.mark_bad("vkWaitSemaphores: VK_ERROR_DEVICE_LOST");
    return {false, "device lost"};
}

// What the fault "hang" holds back is never done, and nobody waits for it.
void Timeline::give_up() {
    std::unique_lock lock(mutex_);
    const uint64_t last = held_back_ ? held_back_ - 1 : last_value_;
    lock.unlock();
    device_.abandon([wait = device_.fn().vkWaitSemaphores, device = device_.handle(),
                     semaphore = semaphore_, last] {
        VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
        info.semaphoreCount = 1;
        info.pSemaphores = &semaphore;
        info.pValues = &last;
        return wait(device, &info, 0) != VK_TIMEOUT;
    });
}

// While the GPU can still write the samples, nobody may touch them. So the limit is granted a
// second time before the device is given up. What comes in that time is late but right.
Outcome Timeline::wait_late(const Pending &pending) {
    const unsigned limit = device_.options().submit_timeout_ms;
    if (!stuck_) {
        char line[64];
        std::snprintf(line, sizeof line, "a submit took longer than %u ms", limit);
        device_.mark_bad(line);
        auto until = Clock::now() + std::chrono::milliseconds(limit);
        if (wait_value(pending.value_, until) == VK_SUCCESS) return {true, ""};
        give_up();
        stuck_ = true;
    }
    return {false, "time limit exceeded"};
}

} // namespace v3doff::vk
