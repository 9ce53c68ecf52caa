// SPDX-License-Identifier: BSD-2-Clause
#include "vk/timeline.hpp"

#include <algorithm>
#include <ctime>
#include <exception>
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

Timeline::Timeline(Device &device, DriverQueue &queue) : device_(device), queue_(queue) {
    semaphore_ = make_timeline_semaphore(device);
}

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
    timespec time{};
    if (thread_.joinable() && pthread_getcpuclockid(thread_.native_handle(), &clock) == 0)
        clock_gettime(clock, &time);
    return uint64_t(time.tv_sec) * 1000000000u + uint64_t(time.tv_nsec);
}

// With mutex_.
bool Timeline::start_thread() {
    if (thread_.joinable()) return true;
    try {
        thread_ = std::thread([this] { run(); });
        return true;
    } catch (const std::exception &) { // no thread, or no memory for one
        return false;
    }
}

VkResult Timeline::submit(VkCommandBuffer commands, Submission &submission) {
    std::lock_guard lock(mutex_); // values must reach the queue in their order
    if (!start_thread()) return VK_ERROR_OUT_OF_HOST_MEMORY;
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
    VkResult result = device_.queue_submit(queue_, info);
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
        queue_.last_done = Clock::now().time_since_epoch();
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

// A submit is not charged for the time that it stood behind others, also of other timelines.
VkResult Timeline::wait_in_time(const Submission &submission) {
    const auto limit =
        std::chrono::milliseconds(queue_.stuck ? 0 : device_.options().submit_timeout_ms);
    while (true) {
        const auto started =
            std::max(submission.since_, Clock::time_point(queue_.last_done.load()));
        const VkResult result = wait_value(submission.value_, started + limit);
        const Clock::time_point last_done(queue_.last_done.load());
        if (result != VK_TIMEOUT || last_done <= started || queue_.stuck) return result;
    }
}

Outcome Timeline::wait_for(const Submission &submission) {
    if (submission.late_) open_gate(submission);
    VkResult result = wait_in_time(submission);
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
    if (!queue_.stuck) {
        device_.mark_bad("a submit took longer than " + std::to_string(limit) + " ms");
        auto until = Clock::now() + std::chrono::milliseconds(limit);
        if (wait_value(submission.value_, until) == VK_SUCCESS) return {true, ""};
        device_.abandon();
        queue_.stuck = true;
    }
    return {false, "time limit exceeded"};
}

} // namespace v3doff::vk
