// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/calls.hpp"

#include <algorithm>

namespace v3doff::h264 {
namespace {

// PlaneMacroblocks of a plane's memory, which a decoder may use beyond the picture.
struct PlaneMacroblocks {
    unsigned shift_x, shift_y;
    uint32_t cols, rows;
    PlaneMacroblocks(const PictureView &picture, unsigned plane)
        : shift_x(4 - picture.format.shift_x(plane)), shift_y(4 - picture.format.shift_y(plane)),
          cols((picture.plane[0].padded_width + 15) / 16),
          rows((picture.plane[0].padded_height + 15) / 16) {}
    size_t at(unsigned plane, uint32_t x, uint32_t y) const {
        const uint32_t col = std::min(x >> shift_x, cols - 1),
                       row = std::min(y >> shift_y, rows - 1);
        return (size_t(plane) * rows + row) * cols + col;
    }
};

struct Extent {
    uint32_t first_x, end_x, first_y, end_y;
    explicit Extent(const PlacedEdge &edge) {
        const uint32_t reach = edge.call.chroma_style ? 2 : 4, lines = edge.call.lines();
        const uint32_t above = edge.between_rows ? reach << edge.field : 0;
        first_x = edge.between_rows ? edge.x : edge.x - std::min(reach, edge.x);
        first_y = edge.y - std::min(above, edge.y);
        end_x = edge.x + (edge.between_rows ? lines : reach);
        end_y = edge.y + ((edge.between_rows ? reach : lines) << edge.field);
    }
};

} // namespace

void FilterCalls::record(uint32_t lane, const PictureView &picture, const PlacedEdge &edge) {
    auto &calls = lanes_[lane];
    if (!calls) calls = std::make_unique<std::vector<PlacedEdge>>();
    const PlaneMacroblocks macroblocks(picture, edge.plane);
    const size_t needed = size_t(picture.format.planes()) * macroblocks.rows * macroblocks.cols;
    if (touched_count_.load(std::memory_order_acquire) != needed) {
        std::lock_guard lock(mutex_);
        if (touched_count_ != needed) {
            touched_ = std::make_unique<std::atomic<uint8_t>[]>(needed);
            touched_count_.store(needed, std::memory_order_release);
        }
    }
    const Extent extent(edge);
    for (uint32_t y : {extent.first_y, extent.end_y - 1})
        for (uint32_t x : {extent.first_x, extent.end_x - 1})
            touched_[macroblocks.at(edge.plane, x, y)].store(1, std::memory_order_relaxed);
    calls->push_back(edge); // before it is counted: this may throw
    calls->back().ticket = tickets_.fetch_add(1, std::memory_order_acq_rel) + 1;
}

bool FilterCalls::touched(const PictureView &picture, unsigned plane, uint32_t x, uint32_t y,
                          uint32_t rows) const {
    if (!touched_count_.load(std::memory_order_acquire)) return false;
    const PlaneMacroblocks macroblocks(picture, plane);
    return touched_[macroblocks.at(plane, x, y)].load(std::memory_order_relaxed) ||
           touched_[macroblocks.at(plane, x, y + rows - 1)].load(std::memory_order_relaxed);
}

void FilterCalls::clear() {
    for (auto &calls : lanes_)
        if (calls) calls->clear();
    tickets_ = 0;
    for (size_t n = 0; n < touched_count_; n++)
        touched_[n].store(0, std::memory_order_relaxed);
}

const std::vector<PlacedEdge> &FilterCalls::in_order() const {
    all_.clear();
    for (const auto &calls : lanes_)
        if (calls) all_.insert(all_.end(), calls->begin(), calls->end());
    const auto earlier = [](const PlacedEdge &a, const PlacedEdge &b) {
        return a.ticket < b.ticket;
    };
    if (!std::is_sorted(all_.begin(), all_.end(), earlier))
        std::sort(all_.begin(), all_.end(), earlier);
    return all_;
}

void FilterCalls::run_cpu(const PictureView &picture) const {
    const ptrdiff_t bytes = picture.format.sample_bytes();
    for (const PlacedEdge &edge : in_order()) {
        const PlaneView &plane = picture.plane[edge.plane];
        const ptrdiff_t stride = plane.stride << edge.field;
        filter_call(plane.data + ptrdiff_t(edge.y) * plane.stride + ptrdiff_t(edge.x) * bytes,
                    edge.between_rows ? stride : bytes, edge.between_rows ? bytes : stride,
                    edge.call, picture.format.bit_depth);
    }
}

} // namespace v3doff::h264
