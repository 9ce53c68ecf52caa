// SPDX-License-Identifier: BSD-2-Clause
// A copy of the samples that a submit overwrites, kept until the submit has succeeded. When the
// copy is complete, the submit's number is written before the samples, so that a restore never uses
// half a copy. The CPU does not touch the memory unless a submit failed.
#pragma once

#include <memory>

#include "picture/surface.hpp"
#include "vk/buffer.hpp"

namespace v3doff {

class Backup {
  public:
    // Makes room for `bytes` (see bytes_for()), and chooses a number for the submit.
    void begin(vk::Device &device, size_t bytes);
    const vk::Buffer &buffer() const { return *buffer_; }
    size_t bytes() const { return buffer_->size(); }
    static size_t bytes_for(const SampleMap &map, const PlaneRows &rows);
    // Written at the beginning when the copy is complete.
    uint32_t number() const { return number_; }

    // For the rows of each plane, calls visit(plane, offset in the samples buffer, bytes, offset in
    // the backup).
    template <typename Visit>
    static void each_range(const SampleMap &map, const PlaneRows &rows, Visit visit) {
        size_t kept = marker_bytes;
        map.each_range(rows, [&](unsigned p, size_t from, size_t bytes) {
            kept += from % alignment; // the same alignment as in the picture
            visit(p, from, bytes, kept);
            kept = aligned(kept + bytes);
        });
    }

    // Restores the samples. If the copy is not complete, nothing has overwritten them, and this
    // does nothing.
    void restore(const Surface &surface, const PlaneRows &rows) const;

    // The most bytes that a backup needs in addition to the rows.
    static constexpr size_t alignment = 16, marker_bytes = alignment;
    static constexpr size_t most_overhead = marker_bytes + max_planes * 2 * alignment;

  private:
    static size_t aligned(size_t bytes) { return (bytes + alignment - 1) & ~(alignment - 1); }

    std::unique_ptr<vk::Buffer> buffer_;
    uint32_t number_ = 0;
};

} // namespace v3doff
