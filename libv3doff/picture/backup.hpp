// SPDX-License-Identifier: BSD-2-Clause
// A copy of the samples that a submit overwrites, kept until the submit has succeeded. When the
// copy is complete, the submit's number is written before the samples, so that a restore never uses
// half a copy. The CPU does not touch the memory unless a submit failed.
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

    // Makes room for `bytes` (see bytes_for()), and chooses a number for the submit.
    void begin(vk::Device &device, size_t bytes);
    const vk::Buffer &buffer() const { return *buffer_; }
    size_t bytes() const { return buffer_->size(); }
    static size_t bytes_for(const Surface &surface, const Rows &rows);
    uint32_t number() const {
        return number_;
    } // written at the beginning when the copy is complete

    // For the rows of each plane, calls visit(plane, offset in the samples buffer, bytes, offset in
    // the backup).
    template <typename Visit>
    static void each_range(const Surface &surface, const Rows &rows, Visit visit) {
        size_t kept = marker_bytes;
        surface.each_range(rows, [&](unsigned p, size_t from, size_t bytes) {
            kept += from % alignment; // the same alignment as in the picture
            visit(p, from, bytes, kept);
            kept = aligned(kept + bytes);
        });
    }

    // Restores the samples. If the copy is not complete, nothing has overwritten them, and this
    // does nothing.
    void restore(const Surface &surface, const Rows &rows) const;

    // The most bytes that a backup needs in addition to the rows.
    static constexpr size_t alignment = 16, marker_bytes = alignment;
    static constexpr size_t most_overhead = marker_bytes + max_planes * 2 * alignment;

  private:
    static size_t aligned(size_t bytes) { return (bytes + alignment - 1) & ~(alignment - 1); }

    std::unique_ptr<vk::Buffer> buffer_;
    uint32_t number_ = 0;
};

// Backups that no submit uses. There are as many backups as there were submits in progress at the
// same time, which are far fewer than jobs. Those of bands are smaller than those of whole
// pictures.
class Backups {
  public:
    // Returns a backup after begin().
    std::unique_ptr<Backup> take(vk::Device &device, const Surface &surface,
                                 const Backup::Rows &rows);
    void give(std::unique_ptr<Backup> backup) noexcept;

  private:
    std::unique_ptr<Backup> take_free(size_t bytes);

    std::mutex mutex_;
    std::vector<std::unique_ptr<Backup>> free_;
};

} // namespace v3doff
