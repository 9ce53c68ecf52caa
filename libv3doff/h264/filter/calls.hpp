// SPDX-License-Identifier: BSD-2-Clause
// A picture's deblocking as a decoder's calls of a DSP table, edge by edge; and the macroblock
// records that filter the picture with the same bits, if such exist.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "h264/filter/edge_lines.hpp"
#include "h264/filter/pack.hpp"
#include "picture/stage.hpp"

namespace v3doff::h264 {

// (x, y) is the first sample behind the edge. field: lines are every second one of the plane.
struct PlacedEdge {
    uint32_t ticket = 0; // its place in the order of all calls of the picture
    uint32_t plane = 0, x = 0, y = 0;
    bool field = false, between_rows = false;
    EdgeCall call;
};

// A frame, or a field of it, as records.
struct FilterRecords {
    MacroblockArea area;
    std::vector<FilterMb> records;
};

class FilterCalls {
  public:
    // The edge's samples must be in the picture's memory. Each lane belongs to one thread. The
    // calls of different lanes keep the order in which they are made.
    void record(uint32_t lane, const PictureView &picture, const PlacedEdge &edge);

    bool empty() const { return size() == 0; }
    uint64_t size() const { return tickets_.load(std::memory_order_acquire); }
    void clear();

    // Whether a recorded filter reads or writes in a macroblock with these samples. It is then too
    // late to reconstruct them.
    bool touched(const PictureView &picture, unsigned plane, uint32_t x, uint32_t y,
                 uint32_t rows) const;

    // Returns null, and in result the same filter, a frame or up to two fields; or why no picture
    // has these calls: MBAFF, thresholds that differ where a macroblock has one, tc0 of more than
    // three strengths, or an order that differs from the standard's (8.7) where it matters.
    const char *resolve(const PictureFormat &format, std::vector<FilterRecords> &result) const;

    // The calls in their order. Valid until the next record().
    const std::vector<PlacedEdge> &in_order() const;

    // Runs the calls in their order, whatever they are.
    void run_cpu(const PictureView &picture) const;

  private:
    std::array<std::unique_ptr<std::vector<PlacedEdge>>, V3DOFF_LANES> lanes_; // on first use
    mutable std::vector<PlacedEdge> all_;                                      // keeps its memory
    std::atomic<uint32_t> tickets_{0}; // of the calls that are recorded
    // One for each macroblock of each plane; made on first use.
    std::mutex mutex_;
    std::unique_ptr<std::atomic<uint8_t>[]> touched_;
    std::atomic<size_t> touched_count_{0};
};

} // namespace v3doff::h264
