// SPDX-License-Identifier: BSD-2-Clause
// What a submit overwrites of a picture, kept until it has succeeded. In front of the samples
// stands the number of the submit once all of them are there, so that a restore never uses half a
// copy. The CPU does not touch the memory unless a submit failed.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "picture/surface.hpp"
#include "vk/buffer.hpp"

namespace v3doff {

class Backup {
  public:
    using Rows = PlaneRows;

    // Room for what bytes_for() says, and a number for the submit.
    void begin(vk::Device &device, size_t bytes);
    const vk::Buffer &buffer() const { return *buffer_; }
    size_t bytes() const { return buffer_->size(); }
    static size_t bytes_for(const Surface &surface, const Rows &rows);
    uint32_t number() const { return number_; } // what is put at the begin when all is there

    // Visits (plane, first byte of the samples buffer, bytes, first byte of the backup) of each
    // plane's rows.
    template <typename Visit>
    static void each_range(const Surface &surface, const Rows &rows, Visit visit) {
        size_t kept = marker_bytes;
        surface.each_range(rows, [&](unsigned p, size_t from, size_t bytes) {
            kept += from % alignment; // as far from a multiple of it as in the picture
            visit(p, from, bytes, kept);
            kept = aligned(kept + bytes);
        });
    }

    // Puts the samples back; does nothing where the copy was not complete: then nothing has written
    // to them.
    void restore(const Surface &surface, const Rows &rows) const;

    // What it has room for beside the rows of a picture, at most.
    static constexpr size_t alignment = 16, marker_bytes = alignment;
    static constexpr size_t most_overhead = marker_bytes + max_planes * 2 * alignment;

  private:
    static size_t aligned(size_t bytes) { return (bytes + alignment - 1) & ~(alignment - 1); }

    std::unique_ptr<vk::Buffer> buffer_;
    uint32_t number_ = 0;
};

// Those that no submit uses. There are as many as submits were under way at once, far fewer than
// jobs, and those of bands need not be as large as those of whole pictures.
class Backups {
  public:
    // Begun.
    std::unique_ptr<Backup> take(vk::Device &device, const Surface &surface,
                                 const Backup::Rows &rows);
    void give(std::unique_ptr<Backup> backup) noexcept;

  private:
    std::unique_ptr<Backup> take_free(size_t bytes);

    std::mutex mutex_;
    std::vector<std::unique_ptr<Backup>> free_;
};

} // namespace v3doff
