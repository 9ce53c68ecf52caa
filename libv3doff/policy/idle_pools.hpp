// SPDX-License-Identifier: BSD-2-Clause
// Pools that nobody uses, kept with their device for a while. Programs open decoders to look at a
// stream, close them, and open others to decode it: what the driver takes for the memory of their
// pictures, and takes once more when it is given back, is spent once then, or at the end of a
// process not at all.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "picture/pool.hpp"

namespace v3doff {

class IdlePools final : public vk::Companion {
  public:
    using Clock = std::chrono::steady_clock;
    // As long as the device itself (policy/kept_device).
    static constexpr auto how_long = std::chrono::seconds(5);
    // Of all their pictures; those that have waited longest go first. And so many pools, because
    // jobs have memory, too, and pictures may be the caller's.
    static constexpr size_t most_bytes = size_t(128) << 20;
    static constexpr size_t most_pools = 16;

    // A pool that comes to those of its device once nobody uses it, where the device is itself
    // kept; one that was there, or a new one.
    static std::shared_ptr<Pool> open(std::shared_ptr<vk::Device> device, const PoolKind &kind);
    // Said with each picture: those go that nobody came for. Costs nothing where there are none.
    static void drop_old(vk::Device *device);

    // The one that was given last; null where there is none of the kind.
    std::unique_ptr<Pool> take(const PoolKind &kind);
    void give(std::unique_ptr<Pool> pool, Clock::time_point now = Clock::now()) noexcept;

    void drop_old() {
        if (count_.load(std::memory_order_relaxed)) drop_older_than(Clock::now() - how_long);
    }

  private:
    struct Idle {
        std::unique_ptr<Pool> pool;
        Clock::time_point since;
    };
    void drop_older_than(Clock::time_point time) noexcept;
    std::vector<Idle> take_until(size_t end);

    std::mutex mutex_;
    std::vector<Idle> idle_; // in the order they came
    std::atomic<size_t> count_ = 0;
};

} // namespace v3doff
