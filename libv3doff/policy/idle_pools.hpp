// SPDX-License-Identifier: BSD-2-Clause
// Keeps unused pools with their device for a while. Programs open decoders to probe a stream, close
// them, and open others to decode it. To allocate and free the pictures' memory costs CPU time in
// the driver. With kept pools this happens once, and at the end of a process nothing is freed.
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
    // As long as the device itself is kept (policy/kept_device).
    static constexpr auto how_long = std::chrono::seconds(5);
    // The limit for the pictures of all kept pools; the oldest pools are dropped first. The number
    // of pools is limited, too, because jobs also have memory, and pictures may be in the caller's
    // memory, which does not count.
    static constexpr size_t most_bytes = size_t(128) << 20;
    static constexpr size_t most_pools = 16;

    // Returns a kept pool, or a new one. If the device is one that is kept, the pool is kept with
    // it when its last user has released it.
    static std::shared_ptr<Pool> open(std::shared_ptr<vk::Device> device, const PoolKind &kind);
    // Called with each picture: drops pools that were kept long enough. Costs nothing if none is
    // kept.
    static void drop_old(vk::Device *device);

    // The pool of this kind that was given last, or null.
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
    std::vector<Idle> idle_; // oldest first
    std::atomic<size_t> count_ = 0;
};

} // namespace v3doff
