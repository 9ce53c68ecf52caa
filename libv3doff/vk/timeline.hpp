// SPDX-License-Identifier: BSD-2-Clause
// Puts submits into the device's queue in their order. A thread waits for them, so that no other
// thread has to.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "vk/command_buffer.hpp"
#include "vk/functions.hpp"

namespace v3doff::vk {

class Device;

struct Outcome {
    bool ok = false;
    const char *reason = ""; // static text
};

// One submit in progress. The list is intrusive, so that submitting allocates nothing.
class Pending {
  public:
    virtual ~Pending() = default;
    // Called on the timeline's thread; the object may be gone or reused when it returns.
    virtual void finished(const Outcome &outcome) noexcept = 0;

  private:
    friend class Timeline;
    Pending *next_ = nullptr;
    uint64_t value_ = 0;
    bool late_ = false; // starts only when the timeline's thread opens the gate
    std::chrono::steady_clock::time_point since_;
};

class Timeline {
  public:
    explicit Timeline(Device &device);
    ~Timeline(); // after the last submit has finished

    // Returns an empty text, or why the device did not get the commands. If it got them, finished()
    // will be called exactly once, and the commands must not change until then. If it did not, or
    // if this throws, finished() is never called. The first submit starts the thread.
    std::string submit(const Commands &commands, Pending &pending);

    uint64_t thread_cpu_ns(); // CPU time of the thread that waits

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr uint64_t taken = UINT64_MAX;
    struct Place {
        uint64_t value; // its submit's; 0: free; taken: being written
        std::unique_ptr<CommandBuffer> buffer;
    };
    VkSemaphore make_semaphore() const;
    bool start();
    Place &take_place();
    VkResult queue_submit(VkCommandBuffer commands, Pending &pending);
    void append(Pending &pending);
    void run() noexcept;
    void save_pipelines() noexcept;
    void finish_first(std::unique_lock<std::mutex> &lock);
    void open_gate(const Pending &pending);
    Outcome wait_for(const Pending &pending);
    VkResult wait_in_time(const Pending &pending);
    Outcome wait_late(const Pending &pending);
    void give_up();
    VkResult wait_value(uint64_t value, Clock::time_point until);
    VkResult try_to_wait(uint64_t value, Clock::time_point until);

    Device &device_;
    VkSemaphore semaphore_ = VK_NULL_HANDLE;
    VkSemaphore gate_ = VK_NULL_HANDLE; // only for the faults "hang" and "late"
    std::mutex mutex_;
    std::condition_variable wake_;
    Pending *head_ = nullptr, *tail_ = nullptr; // sent and not finished
    uint64_t last_value_ = 0;
    uint64_t held_back_ = 0; // the first submit that the fault "hang" holds back
    // Only the thread that waits for the device uses the next two.
    Clock::time_point last_done_ = Clock::now();
    bool stuck_ = false; // a submit never ended, and none behind it will
    std::deque<Place> places_;
    bool stop_ = false;
    std::thread thread_;
};

} // namespace v3doff::vk
