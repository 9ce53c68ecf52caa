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
#include "vk/side_by_side.hpp"

namespace v3doff::vk {
namespace {

constexpr uint64_t never = INT32_MAX; // no device waits for values much further ahead
// One that runs and one that is ready when that is done.
constexpr unsigned in_flight_if_merged = 2;

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

Timeline::Timeline(Device &device, DriverQueue &queue)
    : device_(device), queue_(queue),
      // Passes side by side cannot be timed one by one.
      most_in_flight_(device.caps().merges_submits && !device.options().timers ? in_flight_if_merged
                                                                               : UINT32_MAX) {
    group_.reserve(most_merged);
    parts_.reserve(most_merged);
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

uint64_t Timeline::driver_submits() {
    std::lock_guard lock(mutex_);
    return last_value_;
}

unsigned Timeline::in_flight() {
    std::lock_guard lock(mutex_);
    return in_flight_;
}

VkResult Timeline::submit(const Commands &commands, Submission &submission) {
    std::lock_guard lock(mutex_); // values must reach the queue in their order
    if (!start_thread()) return VK_ERROR_OUT_OF_HOST_MEMORY;
    submission.commands_ = &commands;
    submission.next_ = nullptr;
    submission.value_ = 0;
    submission.refused_ = submission.late_ = false;
    if (!waiting_.empty() || sending_ || in_flight_ >= most_in_flight_) {
        waiting_.push_back(&submission);
        return VK_SUCCESS; // the thread sends it
    }
    Submission *const group[] = {&submission};
    const VkResult result = send(group);
    if (result != VK_SUCCESS) return result;
    count(group);
    wake_.notify_one();
    return VK_SUCCESS;
}

// With mutex_.
void Timeline::append(Submission &submission) {
    (tail_ ? tail_->next_ : head_) = &submission;
    tail_ = &submission;
}

// With mutex_: the group has been sent.
void Timeline::count(std::span<Submission *const> group) {
    last_value_++;
    in_flight_++;
    for (Submission *submission : group) {
        submission->value_ = last_value_;
        append(*submission);
    }
    group.front()->since_ = Clock::now();
}

// With mutex_, or with sending_.
VkResult Timeline::send(std::span<Submission *const> group) {
    const auto free = [](const InFlight &each) { return !each.value; };
    auto place = std::find_if(buffers_.begin(), buffers_.end(), free);
    if (place == buffers_.end())
        place = buffers_.insert(place, {0, std::make_unique<CommandBuffer>(device_)});
    parts_.clear();
    for (const Submission *submission : group)
        parts_.push_back(submission->commands_);
    place->buffer->write(parts_);
    const uint64_t value = last_value_ + 1;
    const VkResult result = queue_submit(place->buffer->handle(), value, *group.front());
    if (result == VK_SUCCESS) place->value = value;
    return result;
}

VkResult Timeline::queue_submit(VkCommandBuffer commands, uint64_t value, Submission &first) {
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
    first.late_ = gate != never && fault::hit(fault::Point::late);
    if (first.late_ || gate == never) {
        if (!gate_) gate_ = make_timeline_semaphore(device_);
        values.waitSemaphoreValueCount = 1;
        values.pWaitSemaphoreValues = &gate;
        info.waitSemaphoreCount = 1;
        info.pWaitSemaphores = &gate_;
        info.pWaitDstStageMask = &stage;
    }
    return device_.queue_submit(queue_, info);
}

// On the thread: as much of what waits as may be in flight, in groups.
void Timeline::send_waiting(std::unique_lock<std::mutex> &lock) {
    while (!waiting_.empty() && in_flight_ < most_in_flight_) {
        take_side_by_side(waiting_, group_, most_merged);
        sending_ = true;
        lock.unlock();
        const bool sent = try_to_send(group_);
        lock.lock();
        sending_ = false;
        if (sent) {
            count(group_);
            continue;
        }
        for (Submission *submission : group_) {
            submission->refused_ = true;
            append(*submission);
        }
    }
}

bool Timeline::try_to_send(std::span<Submission *const> group) {
    if (device_.bad()) return false;
    std::string reason;
    try {
        const VkResult result = send(group);
        if (result == VK_SUCCESS) return true;
        reason = std::string("vkQueueSubmit: ") + result_name(result);
        if (result == VK_ERROR_DEVICE_LOST) device_.mark_bad(reason);
    } catch (const std::exception &problem) {
        reason = problem.what();
    }
    LOG_WARNING("%zu submits not sent: %s", group.size(), reason.c_str());
    return false;
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
        finish_first(lock);
    }
}

// The submits with the first one's value: the device has done them, or never gets them.
void Timeline::finish_first(std::unique_lock<std::mutex> &lock) {
    const uint64_t value = head_->value_;
    Outcome outcome{false, "not submitted"};
    if (!head_->refused_) {
        const Submission &first = *head_;
        lock.unlock();
        outcome = wait_for(first);
        lock.lock();
        in_flight_--;
        queue_.last_done = Clock::now().time_since_epoch();
        for (InFlight &each : buffers_)
            if (outcome.ok && each.value == value) each.value = 0;
        send_waiting(lock); // before anything else: the device may have nothing to do
    }
    do {
        Submission &done = *head_;
        head_ = done.next_;
        if (!head_) tail_ = nullptr;
        lock.unlock();
        done.finished(outcome);
        lock.lock();
    } while (value && head_ && head_->value_ == value);
}

} // namespace v3doff::vk
