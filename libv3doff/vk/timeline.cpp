// SPDX-License-Identifier: BSD-2-Clause
#include "vk/timeline.hpp"

#include <ctime>
#include <exception>
#include <pthread.h>

#include "vk/device.hpp"
#include "vk/pipelines.hpp"

namespace v3doff::vk {
namespace {

// One that runs and one that is ready when that is done.
constexpr unsigned in_flight_if_merged = 2;

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

Timeline::Timeline(Device &device)
    : device_(device),
      // Passes side by side cannot be timed one by one.
      most_in_flight_(device.caps().merges_submits && !device.options().timers ? in_flight_if_merged
                                                                               : UINT32_MAX) {
    group_.reserve(most_merged);
    parts_.reserve(most_merged);
    semaphore_ = make_semaphore();
}

Timeline::~Timeline() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
        wake_.notify_all();
        send_.notify_all();
    }
    if (sender_.joinable()) sender_.join();
    if (thread_.joinable()) thread_.join();
    if (device_.abandoned()) return;
    device_.fn().vkDestroySemaphore(device_.handle(), semaphore_, nullptr);
    device_.fn().vkDestroySemaphore(device_.handle(), gate_, nullptr);
}

uint64_t Timeline::threads_cpu_ns() {
    std::lock_guard lock(mutex_);
    uint64_t sum = 0;
    for (std::thread *thread : {&thread_, &sender_}) {
        clockid_t clock;
        timespec time{};
        if (thread->joinable() && pthread_getcpuclockid(thread->native_handle(), &clock) == 0)
            clock_gettime(clock, &time);
        sum += uint64_t(time.tv_sec) * 1000000000u + uint64_t(time.tv_nsec);
    }
    return sum;
}

// With mutex_.
bool Timeline::start(std::thread &thread, void (Timeline::*body)()) {
    if (thread.joinable()) return true;
    try {
        thread = std::thread(body, this);
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

// With mutex_.
bool Timeline::must_wait() const {
    return !waiting_.empty() || sending_ || in_flight_ >= most_in_flight_;
}

std::string Timeline::submit(const Commands &commands, Submission &submission, bool others) {
    std::unique_lock lock(mutex_); // values must reach the queue in their order
    if (!start(thread_, &Timeline::run)) return "no thread to wait for the device";
    submission.commands_ = &commands;
    submission.next_ = nullptr;
    submission.value_ = 0;
    submission.refused_ = submission.late_ = false;
    if (others && device_.caps().submit_thread && start(sender_, &Timeline::run_sender)) {
        waiting_.push_back(&submission);
        if (may_send()) send_.notify_one();
        return {};
    }
    if (!must_wait()) {
        Place &place = take_place();
        const std::exception_ptr problem = write(place, commands, lock);
        place.value = 0; // nobody takes it before the lock is free
        if (problem) std::rethrow_exception(problem);
        if (!must_wait()) { // others may have been faster
            Submission *const group[] = {&submission};
            const VkResult result = queue_submit(place.buffer->handle(), submission);
            if (result == VK_SUCCESS) {
                count(group, place);
                return {};
            }
            lock.unlock(); // a device that is lost is logged
            return device_.why_refused(result);
        }
    }
    waiting_.push_back(&submission); // a thread sends it
    return {};
}

// With mutex_.
void Timeline::append(Submission &submission) {
    (tail_ ? tail_->next_ : head_) = &submission;
    tail_ = &submission;
}

// With mutex_: the group has been sent.
void Timeline::count(std::span<Submission *const> group, Place &place) {
    place.value = ++last_value_;
    in_flight_++;
    for (Submission *submission : group) {
        submission->value_ = last_value_;
        append(*submission);
    }
    group.front()->since_ = Clock::now();
    wake_.notify_one();
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
        last_done_ = Clock::now();
        for (Place &each : places_)
            if (outcome.ok && each.value == value) each.value = 0;
        // Before anything else: the device may have nothing to do.
        if (!sender_.joinable())
            send_waiting(lock);
        else if (may_send())
            send_.notify_one();
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
