// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/calls.hpp"

#include <algorithm>

#include "util/error.hpp"
#include "vp9/filter/reference.hpp"

namespace v3doff::vp9 {
namespace {

struct Superblocks {
    uint32_t cols, rows;
    explicit Superblocks(const PictureFormat &format)
        : cols((format.width + 63) / 64), rows((format.height + 63) / 64) {}
    size_t count() const { return size_t(cols) * rows; }
};

template <typename Sample>
void filter_call(const PictureView &picture, const EdgeCall &call) {
    const PlaneView &plane = picture.plane[call.plane];
    const FilterArea area = filter_area(picture.format, call.plane);
    const uint32_t along = call.between_rows ? call.x : call.y;
    const uint32_t end = call.between_rows ? area.width : area.height;
    if (along >= end) return;
    const ptrdiff_t stride = plane.stride / ptrdiff_t(sizeof(Sample));
    auto *q0 = reinterpret_cast<Sample *>(plane.data + ptrdiff_t(call.y) * plane.stride) + call.x;
    const EdgeLimits limits{uint32_t(call.e), uint32_t(call.i), uint32_t(call.h)};
    filter_edge(q0, call.between_rows ? stride : 1, call.between_rows ? 1 : stride,
                std::min(end - along, 8u), call.size, limits, picture.format.bit_depth);
}

} // namespace

void FilterCalls::record(uint32_t lane, const PictureFormat &format, const EdgeCall &call) {
    auto &calls = lanes_[lane];
    if (!calls) calls = std::make_unique<std::vector<EdgeCall>>();
    touch(format, call);
    calls->push_back(call); // before it is counted: this may throw
    calls->back().ticket = tickets_.fetch_add(1, std::memory_order_acq_rel) + 1;
}

void FilterCalls::touch(const PictureFormat &format, const EdgeCall &call) {
    const Superblocks superblocks(format);
    const size_t needed = format.planes() * superblocks.count();
    if (touched_count_.load(std::memory_order_acquire) != needed) {
        std::lock_guard lock(mutex_);
        if (touched_count_ != needed) {
            touched_ = std::make_unique<std::atomic<uint8_t>[]>(needed);
            touched_count_.store(needed, std::memory_order_release);
        }
    }
    const unsigned shift_x = 6 - format.shift_x(call.plane),
                   shift_y = 6 - format.shift_y(call.plane);
    const uint32_t reach = call.size == 16 ? 8 : 4;
    const auto mark = [&](uint32_t x, uint32_t y) {
        const uint32_t col = std::min(x >> shift_x, superblocks.cols - 1);
        const uint32_t row = std::min(y >> shift_y, superblocks.rows - 1);
        touched_[call.plane * superblocks.count() + size_t(row) * superblocks.cols + col].store(
            1, std::memory_order_relaxed);
    };
    mark(call.x, call.y);
    mark(call.between_rows ? call.x : call.x - reach, call.between_rows ? call.y - reach : call.y);
}

bool FilterCalls::touched(const PictureFormat &format, unsigned plane, uint32_t x,
                          uint32_t y) const {
    if (!touched_count_.load(std::memory_order_acquire)) return false;
    const Superblocks superblocks(format);
    const uint32_t col = x >> (6 - format.shift_x(plane)), row = y >> (6 - format.shift_y(plane));
    return touched_[plane * superblocks.count() + size_t(row) * superblocks.cols + col].load(
        std::memory_order_relaxed);
}

void FilterCalls::clear() {
    for (auto &calls : lanes_)
        if (calls) calls->clear();
    tickets_ = 0;
    for (size_t n = 0; n < touched_count_; n++)
        touched_[n].store(0, std::memory_order_relaxed);
}

const std::vector<EdgeCall> &FilterCalls::in_order() const {
    all_.clear();
    for (const auto &calls : lanes_)
        if (calls) all_.insert(all_.end(), calls->begin(), calls->end());
    const auto earlier = [](const EdgeCall &a, const EdgeCall &b) { return a.ticket < b.ticket; };
    if (!std::is_sorted(all_.begin(), all_.end(), earlier))
        std::sort(all_.begin(), all_.end(), earlier);
    return all_;
}

void FilterCalls::run_cpu(const PictureView &picture) const {
    for (const EdgeCall &call : in_order()) {
        if (picture.format.bit_depth > 8)
            filter_call<uint16_t>(picture, call);
        else
            filter_call<uint8_t>(picture, call);
    }
}

} // namespace v3doff::vp9
