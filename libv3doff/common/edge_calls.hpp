// SPDX-License-Identifier: BSD-2-Clause
// A picture's loop filter as a decoder's calls of a DSP table, edge by edge.
//
// A codec's Edge has lines(), reach() (the samples on each side that a line's filter reads or
// writes), and a function filter_call(), which filters it in plain loops.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "common/lanes.hpp"
#include "picture/stage.hpp"

namespace v3doff {

// (x, y) is the first sample behind the edge. field: lines are every second one of the plane.
template <typename Edge>
struct PlacedCall {
    uint32_t ticket = 0; // its place in the order of all calls of the picture
    uint32_t plane = 0, x = 0, y = 0;
    bool field = false, between_rows = false;
    Edge call;

    // The samples round it that are read or written.
    uint32_t above() const { return between_rows ? call.reach() << field : 0; }
    uint32_t left() const { return between_rows ? 0 : call.reach(); }
    uint32_t end_x() const { return x + (between_rows ? call.lines() : call.reach()); }
    uint32_t end_y() const {
        return y + (((between_rows ? call.reach() : call.lines()) - 1) << field) + 1;
    }
};

// log2_unit: of the side of the codec's units, superblocks or macroblocks, in luma samples.
template <typename Edge, unsigned log2_unit>
class EdgeCalls {
  public:
    using Placed = PlacedCall<Edge>;

    // The edge's samples must be in the picture's memory. Each lane belongs to one thread. The
    // calls of different lanes keep the order in which they are made.
    void record(uint32_t lane, const PictureView &picture, const Placed &edge) {
        std::vector<Placed> &calls = lanes_.make(lane);
        const Units units(picture, edge.plane);
        make_room(picture.format.planes() * units.count());
        for (uint32_t y : {edge.y - edge.above(), edge.end_y() - 1})
            for (uint32_t x : {edge.x - edge.left(), edge.end_x() - 1})
                touched_[units.at(x, y)].store(1, std::memory_order_relaxed);
        calls.push_back(edge); // before it is counted: this may throw
        calls.back().ticket = tickets_.fetch_add(1, std::memory_order_acq_rel) + 1;
    }

    bool empty() const { return size() == 0; }
    uint64_t size() const { return tickets_.load(std::memory_order_acquire); }
    void clear() {
        lanes_.each([](auto &calls) { calls.clear(); });
        tickets_ = 0;
        for (size_t n = 0; n < touched_count_; n++)
            touched_[n].store(0, std::memory_order_relaxed);
    }

    // Whether a recorded filter reads or writes in a unit with these samples. It is then too late
    // to reconstruct them.
    bool touched(const PictureView &picture, unsigned plane, uint32_t x, uint32_t y,
                 uint32_t rows) const {
        if (!touched_count_.load(std::memory_order_acquire)) return false;
        const Units units(picture, plane);
        return touched_[units.at(x, y)].load(std::memory_order_relaxed) ||
               touched_[units.at(x, y + rows - 1)].load(std::memory_order_relaxed);
    }

    // The calls in their order. Valid until the next record().
    const std::vector<Placed> &in_order() const {
        all_.clear();
        lanes_.each([&](auto &calls) { all_.insert(all_.end(), calls.begin(), calls.end()); });
        const auto earlier = [](const Placed &a, const Placed &b) { return a.ticket < b.ticket; };
        if (!std::is_sorted(all_.begin(), all_.end(), earlier))
            std::sort(all_.begin(), all_.end(), earlier);
        return all_;
    }

    // Runs the calls in their order, whatever they are.
    void run_cpu(const PictureView &picture) const {
        const ptrdiff_t bytes = picture.format.sample_bytes();
        for (const Placed &edge : in_order()) {
            const PlaneView &plane = picture.plane[edge.plane];
            const ptrdiff_t stride = plane.stride << edge.field;
            filter_call(plane.data + ptrdiff_t(edge.y) * plane.stride + ptrdiff_t(edge.x) * bytes,
                        edge.between_rows ? stride : bytes, edge.between_rows ? bytes : stride,
                        edge.call, picture.format.bit_depth);
        }
    }

  private:
    // The units of a plane's memory, which a decoder may use beyond the picture.
    struct Units {
        unsigned plane, shift_x, shift_y;
        uint32_t cols, rows;
        Units(const PictureView &picture, unsigned of_plane)
            : plane(of_plane), shift_x(log2_unit - picture.format.shift_x(plane)),
              shift_y(log2_unit - picture.format.shift_y(plane)),
              cols((picture.plane[0].padded_width + (1u << log2_unit) - 1) >> log2_unit),
              rows((picture.plane[0].padded_height + (1u << log2_unit) - 1) >> log2_unit) {}
        size_t count() const { return size_t(cols) * rows; }
        size_t at(uint32_t x, uint32_t y) const {
            return plane * count() + size_t(std::min(y >> shift_y, rows - 1)) * cols +
                   std::min(x >> shift_x, cols - 1);
        }
    };

    void make_room(size_t units) {
        if (touched_count_.load(std::memory_order_acquire) == units) return;
        std::lock_guard lock(mutex_);
        if (touched_count_ == units) return;
        touched_ = std::make_unique<std::atomic<uint8_t>[]>(units);
        touched_count_.store(units, std::memory_order_release);
    }

    Lanes<std::vector<Placed>> lanes_;
    mutable std::vector<Placed> all_;  // keeps its memory
    std::atomic<uint32_t> tickets_{0}; // how many calls are recorded
    // One for each unit of each plane; made on first use.
    std::mutex mutex_;
    std::unique_ptr<std::atomic<uint8_t>[]> touched_;
    std::atomic<size_t> touched_count_{0};
};

} // namespace v3doff
