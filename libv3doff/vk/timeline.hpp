// SPDX-License-Identifier: BSD-2-Clause
// The order of submits to the device's queue and the thread that waits for them, so that nobody
// else does.
//
// Where submits are merged, the device has two at a time, so that it is not idle while the first
// one's end is noticed. What comes meanwhile waits, and goes as one command buffer when one is
// done. It is sent by the thread that waits for the device, or by one that does nothing else
// (Caps::submit_thread).
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "vk/command_buffer.hpp"
#include "vk/functions.hpp"

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

    const void *chain() const { return commands_->chain(); }

  private:
    friend class Timeline;
    Submission *next_ = nullptr;
    const Commands *commands_ = nullptr;
    uint64_t value_ = 0;   // of several that are merged the same; 0: not submitted
    bool refused_ = false; // by vkQueueSubmit, after others had been waited for
    bool late_ = false;    // begins when the timeline's thread lets it
    std::chrono::steady_clock::time_point since_;
};

class Timeline {
  public:
    explicit Timeline(Device &device);
    ~Timeline(); // after the last submission has finished

    // Returns nothing, or why the device was not given the commands. After the former finished()
    // will be called exactly once, and the commands must stay as they are until then; after the
    // latter, and where this throws, never. The first submit starts the thread.
    // others: the caller is one of several, and soon busy with something else.
    std::string submit(const Commands &commands, Submission &submission, bool others = false);

    uint64_t driver_submits(); // calls of vkQueueSubmit that succeeded
    unsigned in_flight();      // of them, not known to be done

    uint64_t threads_cpu_ns(); // CPU time of the threads that send and wait

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr size_t most_merged = 32;
    static constexpr uint64_t taken = UINT64_MAX;
    struct Place {
        uint64_t value; // of its submit; 0: free; taken: being written
        std::unique_ptr<CommandBuffer> buffer;
    };
    VkSemaphore make_semaphore() const;
    bool start(std::thread &thread, void (Timeline::*body)());
    void append(Submission &submission);
    bool must_wait() const;
    Place &take_place();
    std::exception_ptr write(Place &place, const Commands &commands,
                             std::unique_lock<std::mutex> &lock);
    void count(std::span<Submission *const> group, Place &place);
    VkResult queue_submit(VkCommandBuffer commands, Submission &first);
    bool try_to_send(std::unique_lock<std::mutex> &lock);
    void send_waiting(std::unique_lock<std::mutex> &lock);
    bool may_send() const { return !sending_ && !waiting_.empty() && in_flight_ < most_in_flight_; }
    void run_sender();
    void run();
    void finish_first(std::unique_lock<std::mutex> &lock);
    void open_gate(const Submission &submission);
    Outcome wait_for(const Submission &submission);
    VkResult wait_in_time(const Submission &submission);
    Outcome wait_late(const Submission &submission);
    VkResult wait_value(uint64_t value, Clock::time_point until);

    Device &device_;
    VkSemaphore semaphore_ = VK_NULL_HANDLE;
    VkSemaphore gate_ = VK_NULL_HANDLE; // only for the faults "hang" and "late"
    std::mutex mutex_;
    std::condition_variable wake_, send_;
    const unsigned most_in_flight_;
    unsigned in_flight_ = 0;                       // vkQueueSubmits
    Submission *head_ = nullptr, *tail_ = nullptr; // sent, or refused, and not finished
    std::vector<Submission *> waiting_;            // to be sent
    bool sending_ = false;                         // a thread is, without the lock
    uint64_t last_value_ = 0;
    // Of the thread that waits for the device.
    Clock::time_point last_done_ = Clock::now();
    bool stuck_ = false; // a submit never ended: behind it none other will
    std::deque<Place> places_;
    std::vector<Submission *> group_;
    std::vector<const Commands *> parts_;
    bool stop_ = false;
    std::thread thread_, sender_;
};

} // namespace v3doff::vk
