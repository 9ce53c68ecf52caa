// SPDX-License-Identifier: BSD-2-Clause
// Whether what a device computes is right. The first result of a kind is compared with what plain
// code makes. Until then no result of the device is used.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace v3doff::vk {

// Kinds are bits.
class SelfTests {
  public:
    // The next result of this kind will be compared. Only the first call for a kind has an effect,
    // so it may be made before every picture. Without one, no result is compared.
    void want(uint32_t kind) {
        const uint32_t now = wanted_.load(std::memory_order_relaxed);
        if ((now & kind) != kind) open_ |= kind & ~wanted_.fetch_or(kind);
    }

    // The kinds whose comparison has ended without a difference.
    uint32_t all_passed() const { return passed_.load(std::memory_order_relaxed); }

    struct Claim {
        bool compare = false; // the caller compares the result, and then calls end()
        uint32_t pending = 0; // otherwise passed() of these says whether the result can be used
        explicit operator bool() const { return compare || pending; }
    };
    // For a result of this kind. Call it in the order in which the device completes them: a result
    // may be made from those before it, and waits for none behind it.
    Claim claim(uint32_t kind);
    void end(uint32_t kind, bool passed);
    // Waits for the comparisons of these kinds. False: one of them has found a difference.
    bool passed(uint32_t kinds);

  private:
    std::atomic<uint32_t> wanted_{0}, open_{0}, passed_{0}; // open_: wanted, and not passed
    std::mutex mutex_;
    std::condition_variable changed_;
    uint32_t claimed_ = 0, ended_ = 0;
};

} // namespace v3doff::vk
