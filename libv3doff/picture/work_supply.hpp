// SPDX-License-Identifier: BSD-2-Clause
// Memory that the works of a pool share, so that only those have any that a device works for.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "picture/arena_words.hpp"
#include "picture/backup.hpp"
#include "vk/buffer.hpp"

namespace v3doff {

// Memory that is not in use. There is as much of it as was in use at the same time.
template <typename Memory>
class Spare {
  public:
    // The smallest for which size_of() is at least `enough`, or the largest. Memory below `least`
    // is left alone; the result is empty if there is no other.
    template <typename SizeOf>
    Memory take(size_t enough, SizeOf size_of, size_t least = 0) {
        std::lock_guard lock(mutex_);
        auto found = free_.end();
        const auto rank = [&](const Memory &memory) {
            const size_t size = size_of(memory);
            return size < enough ? SIZE_MAX - size : size;
        };
        for (auto each = free_.begin(); each != free_.end(); ++each)
            if (size_of(*each) >= least && (found == free_.end() || rank(*each) < rank(*found)))
                found = each;
        if (found == free_.end()) return {};
        std::swap(*found, free_.back());
        Memory taken = std::move(free_.back());
        free_.pop_back();
        return taken;
    }
    void give(Memory memory) noexcept {
        std::lock_guard lock(mutex_);
        try {
            free_.push_back(std::move(memory));
        } catch (const std::bad_alloc &) { // then there is one less
        }
    }

  private:
    std::mutex mutex_;
    std::vector<Memory> free_;
};

// Memory that only the device uses, from the beginning of a submit to its end. The device does one
// submit after the other, so all have the same.
class SubmitMemory {
  public:
    // At least so many bytes. The caller keeps it until the submit is done.
    std::shared_ptr<vk::Buffer> take(vk::Device &device, size_t bytes);

  private:
    std::mutex mutex_;
    std::shared_ptr<vk::Buffer> newest_;
};

struct WorkSupply {
    // The size of the largest arena so far, with which a new one begins. Growing in steps would
    // allocate memory of the driver at each step.
    std::atomic<size_t> arena_bytes = 0;
    Spare<std::unique_ptr<vk::Buffer>> arenas;
    Spare<ArenaWords> words; // for plans whose arena the CPU does not read
    SubmitMemory scratch, device_arena;
    Spare<std::unique_ptr<Backup>> backups;
    // One for these rows, after begin(). A spare one may have nearly enough room and grow. But
    // bands do not take what is far too small, so that their backups stay smaller than those of
    // pictures.
    std::unique_ptr<Backup> take_backup(vk::Device &device, const SampleMap &map,
                                        const PlaneRows &rows);
};

} // namespace v3doff
