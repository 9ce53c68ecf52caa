// SPDX-License-Identifier: BSD-2-Clause
// The queues of a device: pictures are spread over them, so that the short passes of one fill the
// gaps that another's waits leave. What must run in its order stays on one.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "vk/functions.hpp"

namespace v3doff::vk {

class Device;
class Timeline;

// What the driver calls a queue. Several timelines share one where the driver has fewer than are
// asked for: the lock is what vkQueueSubmit needs.
struct DriverQueue {
    using Clock = std::chrono::steady_clock;
    explicit DriverQueue(VkQueue of) : handle(of) {}

    const VkQueue handle;
    std::mutex mutex;
    std::atomic<Clock::duration> last_done{Clock::now().time_since_epoch()};
    // A submit never ended: behind it none other will.
    std::atomic<bool> stuck{false};
};

// One user's hold on a timeline, until it is released or goes.
class QueueUse {
  public:
    QueueUse() = default;
    explicit QueueUse(Timeline &timeline);
    QueueUse(QueueUse &&other) noexcept;
    QueueUse &operator=(QueueUse &&other) noexcept;
    ~QueueUse() { release(); }

    explicit operator bool() const { return timeline_; }
    Timeline &timeline() const { return *timeline_; }
    void release();

  private:
    Timeline *timeline_ = nullptr;
};

class Queues {
  public:
    // count timelines on the driver's queues in turn.
    Queues(Device &device, std::span<const VkQueue> handles, unsigned count);
    ~Queues(); // after the last submission has finished

    // The timeline with the fewest users, the first of several: one stream at ease uses one queue,
    // and wakes one thread.
    QueueUse take();

    size_t count() const { return timelines_.size(); }
    uint64_t threads_cpu_ns(); // CPU time of their threads

  private:
    std::mutex mutex_; // choosing
    std::vector<std::unique_ptr<DriverQueue>> driver_;
    std::vector<std::unique_ptr<Timeline>> timelines_;
};

} // namespace v3doff::vk
