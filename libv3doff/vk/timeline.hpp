// SPDX-License-Identifier: BSD-2-Clause
// The order of submits to a queue and the thread that waits for them, so that nobody else does. One
// thread for several queues would have to wait for any of them, which Mesa's drivers without
// timelines in the kernel do by asking again and again.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "vk/functions.hpp"
#include "vk/queues.hpp"

namespace v3doff::vk {

class Device;

struct Outcome {
    bool ok = false;
    const char *reason = ""; // static text
};

// One submit on its way. Intrusive, so that submitting allocates nothing.
class Submission {
  public:
    virtual ~Submission() = default;
    // Called on the timeline's thread; the object may be gone or reused when it returns.
    virtual void finished(const Outcome &outcome) noexcept = 0;

  private:
    friend class Timeline;
    Submission *next_ = nullptr;
    uint64_t value_ = 0;
    bool late_ = false; // begins when the timeline's thread lets it
    std::chrono::steady_clock::time_point since_;
};

class Timeline {
  public:
    Timeline(Device &device, DriverQueue &queue);
    ~Timeline(); // after the last submission has finished

    // On VK_SUCCESS, finished() will be called exactly once; otherwise never. The first one starts
    // the thread.
    VkResult submit(VkCommandBuffer commands, Submission &submission);

    uint64_t thread_cpu_ns(); // CPU time of the thread that waits

    std::atomic<unsigned> users{0}; // QueueUse

  private:
    using Clock = DriverQueue::Clock;
    bool start_thread();
    void run();
    void open_gate(const Submission &submission);
    Outcome wait_for(const Submission &submission);
    VkResult wait_in_time(const Submission &submission);
    Outcome wait_late(const Submission &submission);
    VkResult wait_value(uint64_t value, Clock::time_point until);

    Device &device_;
    DriverQueue &queue_;
    VkSemaphore semaphore_ = VK_NULL_HANDLE;
    VkSemaphore gate_ = VK_NULL_HANDLE; // only for the faults "hang" and "late"
    std::mutex mutex_;
    std::condition_variable wake_;
    Submission *head_ = nullptr, *tail_ = nullptr;
    uint64_t last_value_ = 0;
    bool stop_ = false;
    std::thread thread_;
};

} // namespace v3doff::vk
