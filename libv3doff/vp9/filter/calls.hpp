// SPDX-License-Identifier: BSD-2-Clause
// A picture's loop filter as a decoder's calls of a DSP table, edge by edge.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "picture/stage.hpp"
#include "vp9/filter/resolve.hpp"

namespace v3doff::vp9 {

class FilterCalls {
  public:
    // The edge's samples must be in the picture's memory. Each lane belongs to one thread. The
    // calls of different lanes keep the order in which they are made.
    void record(uint32_t lane, const PictureFormat &format, const EdgeCall &call);

    bool empty() const { return size() == 0; }
    uint64_t size() const { return tickets_.load(std::memory_order_acquire); }
    void clear();

    // Whether a recorded filter reads or writes in the superblock of a sample. It is then too late
    // to reconstruct this sample.
    bool touched(const PictureFormat &format, unsigned plane, uint32_t x, uint32_t y) const;

    const char *resolve(const PictureFormat &format, FilterInput &input,
                        std::vector<FilterSuperblock> &superblocks) const {
        return resolve_edges(in_order(), format, input, superblocks);
    }

    // Runs the calls in their order, whatever they are.
    void run_cpu(const PictureView &picture) const;

  private:
    const std::vector<EdgeCall> &in_order() const;
    void touch(const PictureFormat &format, const EdgeCall &call);

    std::array<std::unique_ptr<std::vector<EdgeCall>>, V3DOFF_LANES> lanes_; // made on first use
    mutable std::vector<EdgeCall> all_;                                      // keeps its memory
    std::atomic<uint32_t> tickets_{0}; // of the calls that are recorded
    // One for each superblock of each plane; made on first use.
    std::mutex mutex_;
    std::unique_ptr<std::atomic<uint8_t>[]> touched_;
    std::atomic<size_t> touched_count_{0};
};

} // namespace v3doff::vp9
