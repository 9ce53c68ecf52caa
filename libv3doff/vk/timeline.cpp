// SPDX-License-Identifier: BSD-2-Clause
#include "vk/timeline.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <exception>
#include <functional>
#include <new>
#include <pthread.h>

#include "util/clock.hpp"
#include "util/fault.hpp"
#include "util/process.hpp"
#include "vk/device.hpp"
#include "vk/pipelines.hpp"

namespace v3doff::vk {
namespace {

constexpr uint64_t never = INT32_MAX; // devices limit how far ahead a value may be
constexpr auto lateness = std::chrono::milliseconds(5);
constexpr auto pause = std::chrono::milliseconds(1); // after a wait that failed

} // namespace

VkSemaphore Timeline::make_semaphore() const {
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    info.pNext = &type;
    VkSemaphore semaphore = VK_NULL_HANDLE;
    check(device_.fn().vkCreateSemaphore(device_.handle(), &info, nullptr, &semaphore),
          "vkCreateSemaphore");
    return semaphore;
}

Timeline::Timeline(Device &device) : device_(device), semaphore_(make_semaphore()) {}

Timeline::~Timeline() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
        wake_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
    if (device_.abandoned()) return;
    device_.fn().vkDestroySemaphore(device_.handle(), semaphore_, nullptr);
    device_.fn().vkDestroySemaphore(device_.handle(), gate_, nullptr);
}

uint64_t Timeline::thread_cpu_ns() {
    std::lock_guard lock(mutex_);
    clockid_t clock;
    if (!thread_.joinable() || pthread_getcpuclockid(thread_.native_handle(), &clock) != 0)
        return 0;
    return clock_ns(clock);
}

// Needs mutex_.
bool Timeline::start() {
    if (thread_.joinable()) return true;
    process::SignalsBlocked blocked;
    try {
        thread_ = std::thread(&Timeline::run, this);
        return true;
    } catch (const std::exception &) { // no thread, or no memory for one
        return false;
    }
}

// Needs mutex_.
Timeline::Place &Timeline::take_place() {
    const auto free = [](const Place &each) { return !each.value; };
    const auto found = std::find_if(places_.begin(), places_.end(), free);
    Place &place = found != places_.end()
                       ? *found
                       : places_.emplace_back(Place{0, std::make_unique<CommandBuffer>(device_)});
    place.value = taken;
    return place;
}

std::string Timeline::submit(const Commands &commands, Pending &pending) {
    process::Work work;
    if (process::ends()) return "the process ends";
    std::unique_lock lock(mutex_); // values must reach the queue in their order
    if (!start()) return "no thread to wait for the device";
    Place &place = take_place();
    std::exception_ptr problem;
    lock.unlock(); // writing takes a while
    try {
        place.buffer->write(commands);
    } catch (...) {
        problem = std::current_exception();
    }
    lock.lock();
    place.value = 0; // nobody takes it before the lock is free
    if (problem) std::rethrow_exception(problem);
    const VkResult result = queue_submit(place.buffer->handle(), pending);
    if (result != VK_SUCCESS) {
        lock.unlock(); // why_refused() may log
        return device_.why_refused(result);
    }
    pending.value_ = place.value = ++last_value_;
    pending.since_ = Clock::now();
    append(pending);
    process::begin_work(); // until it is finished
    wake_.notify_one();
    return {};
}

// Needs mutex_.
VkResult Timeline::queue_submit(VkCommandBuffer commands, Pending &pending) {
    const uint64_t value = last_value_ + 1;
    VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    values.signalSemaphoreValueCount = 1;
    values.pSignalSemaphoreValues = &value;
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.pNext = &values;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &semaphore_;
    const uint64_t gate = fault::hit(fault::Point::hang) ? never : value;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    if (gate == never && !held_back_) held_back_ = value;
    pending.late_ = gate != never && fault::hit(fault::Point::late);
    if (pending.late_ || gate == never) {
        if (!gate_) gate_ = make_semaphore();
        values.waitSemaphoreValueCount = 1;
        values.pWaitSemaphoreValues = &gate;
        info.waitSemaphoreCount = 1;
        info.pWaitSemaphores = &gate_;
        info.pWaitDstStageMask = &stage;
    }
    return device_.queue_submit(info);
}

// Needs mutex_.
void Timeline::append(Pending &pending) {
    pending.next_ = nullptr;
    (tail_ ? tail_->next_ : head_) = &pending;
    tail_ = &pending;
}

void Timeline::save_pipelines() noexcept {
    process::Work work;
    if (process::ends()) return;
    try {
        device_.pipelines().save_if_new();
    } catch (const std::exception &) { // no memory: they are made again in the next process
    }
}

void Timeline::run() noexcept {
    pthread_setname_np(pthread_self(), "v3doff-done");
    std::unique_lock lock(mutex_);
    while (true) {
        if (!head_) {
            lock.unlock();
            save_pipelines(); // nobody waits for us now
            lock.lock();
        }
        wake_.wait(lock, [this] { return head_ || stop_; });
        if (!head_) return;
        finish_first(lock);
    }
}

// Called when the device has done the first submit, or never will.
void Timeline::finish_first(std::unique_lock<std::mutex> &lock) {
    Pending &first = *head_;
    lock.unlock();
    const Outcome outcome = wait_for(first);
    lock.lock();
    last_done_ = Clock::now();
    Place *place = nullptr;
    for (Place &each : places_)
        if (outcome.ok && each.value == first.value_) place = &each;
    head_ = first.next_;
    if (!head_) tail_ = nullptr;
    lock.unlock();
    const bool may_be_first =
        std::has_single_bit(first.value_); // 1, 2, 4: for all kinds of shaders
    first.finished(outcome);
    if (may_be_first) process::come_first();
    if (place) place->buffer->release();
    process::end_work();
    lock.lock();
    if (place) place->value = 0;
}

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
    std::function<bool()> is_idle = [] { return true; };
    try {
        is_idle = [wait = device_.fn().vkWaitSemaphores, device = device_.handle(),
                   semaphore = semaphore_, last] {
            VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
            info.semaphoreCount = 1;
            info.pSemaphores = &semaphore;
            info.pValues = &last;
            return wait(device, &info, 0) != VK_TIMEOUT;
        };
    } catch (const std::bad_alloc &) { // then exit() does not wait for it
    }
    device_.abandon(std::move(is_idle));
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
