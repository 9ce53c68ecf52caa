// SPDX-License-Identifier: BSD-2-Clause
// What a C handle points to. Slots are never freed, and the slot that was freed first is used again
// first. So the use of a dead handle is recognised, and reads no garbage.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>

#include "util/error.hpp"

namespace v3doff::api {

template <typename Object>
struct HandleSlot {
    std::atomic<uint64_t> life{0}; // a number that no other object of the table has had; 0: dead
    Object object{};
    HandleSlot *next_free = nullptr;
};

template <typename T>
class SlotTable {
  public:
    template <typename Object>
    T *give(Object object) {
        std::lock_guard lock(mutex_);
        T *slot = nullptr;
        // Takes the oldest free slot, and only if many are free: the longer a dead handle stays
        // dead, the likelier its use is noticed.
        if (free_count_ > keep_dead) {
            slot = static_cast<T *>(oldest_);
            oldest_ = oldest_->next_free;
            free_count_--;
        } else {
            slot = &slots_.emplace_back();
        }
        slot->object = std::move(object);
        slot->life.store(++lives_, std::memory_order_release);
        return slot;
    }

    // Ends a handle and returns its object.
    auto take(T *slot) {
        auto object = std::move(slot->object);
        slot->object = {};
        slot->life.store(0, std::memory_order_release);
        std::lock_guard lock(mutex_);
        slot->next_free = nullptr;
        if (free_count_++)
            newest_->next_free = slot;
        else
            oldest_ = slot;
        newest_ = slot;
        return object;
    }

  private:
    static constexpr size_t keep_dead = 64;
    using Link = decltype(T::next_free);
    std::mutex mutex_;
    std::deque<T> slots_;                      // addresses stay
    Link oldest_ = nullptr, newest_ = nullptr; // of the free ones
    size_t free_count_ = 0;
    uint64_t lives_ = 0; // objects so far
};

template <typename T>
SlotTable<T> &slots() {
    static auto *table = new SlotTable<T>; // outlives every static of the program
    return *table;
}

// Throws INVALID_HANDLE naming the argument.
template <typename T>
auto &resolve(T *handle, const char *argument) {
    if (!handle) throw Error(V3DOFF_ERROR_INVALID_HANDLE, std::string(argument) + ": null");
    if (!handle->life.load(std::memory_order_acquire))
        throw Error(V3DOFF_ERROR_INVALID_HANDLE, std::string(argument) + ": was destroyed");
    return handle->object;
}

} // namespace v3doff::api
