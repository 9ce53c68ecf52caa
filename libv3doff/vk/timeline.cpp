// SPDX-License-Identifier: BSD-2-Clause
#include "vk/timeline.hpp"

#include <algorithm>
#include <ctime>
#include <pthread.h>

#include "util/fault.hpp"
#include "util/log.hpp"
#include "vk/device.hpp"
#include "vk/pipelines.hpp"

namespace v3doff::vk {
namespace {

constexpr uint64_t never = INT32_MAX; // no device waits for values much further ahead
constexpr auto lateness = std::chrono::milliseconds(5);

VkSemaphore make_timeline_semaphore(Device &device) {
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    info.pNext = &type;
    VkSemaphore semaphore = VK_NULL_HANDLE;
    check(device.fn().vkCreateSemaphore(device.handle(), &info, nullptr, &semaphore),
          "vkCreateSemaphore");
    return semaphore;
}

} // namespace

Timeline::Timeline(Device &device) : device_(device), idle_since_(Clock::now()) {
    semaphore_ = make_timeline_semaphore(device);
    thread_ = std::thread([this] { run(); });
}

Timeline::~Timeline() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
        wake_.notify_all();
    }
    thread_.join();
    if (device_.abandoned()) return;
    device_.fn().vkDestroySemaphore(device_.handle(), semaphore_, nullptr);
    device_.fn().vkDestroySemaphore(device_.handle(), gate_, nullptr);
}

uint64_t Timeline::thread_cpu_ns() {
    clockid_t clock;
    timespec time{};
    if (pthread_getcpuclockid(thread_.native_handle(), &clock) == 0) clock_gettime(clock, &time);
    return uint64_t(time.tv_sec) * 1000000000u + uint64_t(time.tv_nsec);
}

VkResult Timeline::submit(VkCommandBuffer commands, Submission &submission) {
    std::lock_guard lock(mutex_); // values must reach the queue in their order
    uint64_t value = last_value_ + 1;
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
    submission.late_ = gate != never && fault::hit(fault::Point::late);
    if (submission.late_ || gate == never) {
        if (!gate_) gate_ = make_timeline_semaphore(device_);
        values.waitSemaphoreValueCount = 1;
        values.pWaitSemaphoreValues = &gate;
        info.waitSemaphoreCount = 1;
        info.pWaitSemaphores = &gate_;
        info.pWaitDstStageMask = &stage;
    }
    VkResult result = device_.queue_submit(info);
    if (result != VK_SUCCESS) return result;
    last_value_ = value;
    submission.value_ = value;
    submission.since_ = Clock::now();
    submission.next_ = nullptr;
    (tail_ ? tail_->next_ : head_) = &submission;
    tail_ = &submission;
    wake_.notify_one();
    return VK_SUCCESS;
}

void Timeline::run() {
    pthread_setname_np(pthread_self(), "v3doff-done");
    std::unique_lock lock(mutex_);
    while (true) {
        if (!head_) {
            lock.unlock();
            device_.pipelines().save_if_new(); // nobody waits for us now
            lock.lock();
        }
        wake_.wait(lock, [this] { return head_ || stop_; });
        if (!head_) return;
        Submission *submission = head_;
        lock.unlock();
        Outcome outcome = wait_for(*submission);
        lock.lock();
        head_ = submission->next_;
        if (!head_) tail_ = nullptr;
        idle_since_ = Clock::now();
        lock.unlock();
        submission->finished(outcome);
        lock.lock();
    }
}

VkResult Timeline::wait_value(uint64_t value, Clock::time_point until) {
    auto left = std::max(until - Clock::now(), Clock::duration::zero());
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore_;
    info.pValues = &value;
    return device_.fn().vkWaitSemaphores(
        device_.handle(), &info,
        uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(left).count()));
}

// What reads or changes a picture's samples before it may has had the time for it.
void Timeline::open_gate(const Submission &submission) {
    std::this_thread::sleep_for(lateness);
    VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    info.semaphore = gate_;
    info.value = submission.value_;
    device_.fn().vkSignalSemaphore(device_.handle(), &info);
}

Outcome Timeline::wait_for(const Submission &submission) {
    if (submission.late_) open_gate(submission);
    // Behind a submit that never ends, none other will.
    const auto limit =
        std::chrono::milliseconds(device_.abandoned() ? 0 : device_.options().submit_timeout_ms);
    // A submit is not charged for the time it stood behind others.
    const auto started = std::max(submission.since_, idle_since_);
    VkResult result = wait_value(submission.value_, started + limit);
    if (result == VK_SUCCESS && fault::hit(fault::Point::lost)) result = VK_ERROR_DEVICE_LOST;
    if (result == VK_SUCCESS) return {true, ""};
    if (result == VK_TIMEOUT) return wait_late(submission);
    device_.mark_bad(std::string("vkWaitSemaphores: ") + result_name(result));
    return {false, "device lost"};
}

// The samples may not be touched while the GPU can still write them, so one more limit is granted
// before the device is given up; what comes in that time is late but right.
Outcome Timeline::wait_late(const Submission &submission) {
    const unsigned limit = device_.options().submit_timeout_ms;
    if (!device_.abandoned()) {
        device_.mark_bad("a submit took longer than " + std::to_string(limit) + " ms");
        auto until = Clock::now() + std::chrono::milliseconds(limit);
        if (wait_value(submission.value_, until) == VK_SUCCESS) return {true, ""};
        device_.abandon();
    }
    return {false, "time limit exceeded"};
}

} // namespace v3doff::vk
