// SPDX-License-Identifier: BSD-2-Clause
#include "picture/surface.hpp"

#include <cstring>
#include <utility>

#include "util/error.hpp"
#include "util/log.hpp"
#include "vk/device.hpp"

namespace v3doff {

void Surface::make_device_copy(vk::Device &device, size_t bytes) {
    std::lock_guard lock(mutex_);
    if (!device_copy_) device_copy_ = vk::Buffer::create_private(device, bytes);
}

bool Surface::device_copy_holds() const {
    std::lock_guard lock(mutex_);
    return device_copy_holds_;
}

// Calls visit(the CPU's row, offset of the GPU's row, bytes) for these rows of a staging picture.
template <typename Visit>
void Surface::each_row(const PlaneRows &rows, Visit visit) {
    for (unsigned p = 0; p < view_.format.planes(); p++) {
        const PlaneView &plane = view_.plane[p];
        for (uint32_t y = rows[p].first; y < std::min(rows[p].end, plane.padded_height); y++)
            visit(plane.data + ptrdiff_t(y) * plane.stride, map_.row_at(p, y), map_.row_bytes[p]);
    }
}

void Surface::copy_in() {
    if (path_ != V3DOFF_MEMORY_STAGING) return;
    std::byte *gpu = gpu_->data();
    PlaneRows all;
    for (unsigned p = 0; p < view_.format.planes(); p++)
        all[p].add(0, view_.plane[p].padded_height);
    each_row(all,
             [&](std::byte *cpu, size_t at, size_t bytes) { std::memcpy(gpu + at, cpu, bytes); });
}

// Other rows may not be the picture's, or may have changed meanwhile.
void Surface::copy_out(const PlaneRows &rows) {
    if (path_ != V3DOFF_MEMORY_STAGING) return;
    const std::byte *gpu = gpu_->data_to_read();
    each_row(rows,
             [&](std::byte *cpu, size_t at, size_t bytes) { std::memcpy(cpu, gpu + at, bytes); });
}

void Surface::give_to_gpu(Use use, const PlaneRows &rows) {
    if (!gpu_) return;
    if (use == Use::rows)
        return map_.each_range(
            rows, [&](unsigned, size_t from, size_t bytes) { gpu_->end_cpu_access(from, bytes); });
    if (use != Use::make) copy_in();
    gpu_->end_cpu_access();
}

void Surface::take_from_gpu(Use use, const PlaneRows &rows) {
    if (!gpu_) return;
    if (use == Use::rows)
        return map_.each_range(rows, [&](unsigned, size_t from, size_t bytes) {
            gpu_->begin_cpu_access(from, bytes);
        });
    gpu_->begin_cpu_access();
}

void Surface::become(State state) {
    state_ = state;
    if (state == State::cpu || state == State::submitted) device_copy_holds_ = false;
    changed_.notify_all();
}

void Surface::changed() {
    const log::Later later;
    std::lock_guard lock(mutex_);
    forget_records();
    if (state_ == State::lent) become(State::cpu);
    if (!std::exchange(shared_, false)) return;
    // The kernel waits for devices that still read.
    gpu_->end_cpu_access();
    gpu_->begin_cpu_access();
}

void Surface::share() {
    if (!gpu_ || gpu_->dma_buf_fd() < 0)
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "the picture's memory is no dma-buf");
    lend_to_gpu();
    std::lock_guard lock(mutex_);
    shared_ = true;
}

void Surface::lend_to_gpu() {
    if (!gpu_) return;
    const log::Later later;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return state_ != State::submitted; });
    if (state_ != State::cpu) return;
    copy_in();
    gpu_->end_cpu_access();
    gpu_->begin_cpu_access();
    become(State::lent);
}

void Surface::begin_submit() {
    std::lock_guard lock(mutex_);
    forget_records();
    become(State::submitted);
}

void Surface::queued(bool on_device_copy) {
    std::lock_guard lock(mutex_);
    become(State::queued);
    device_copy_holds_ = on_device_copy;
}

void Surface::submit_failed() {
    std::lock_guard lock(mutex_);
    if (state_ != State::queued) return;
    failed_submits_++;
    become(State::submitted);
}

// The GPU can read what it has made itself, but not what the CPU has made.
void Surface::end_submit() {
    std::lock_guard lock(mutex_);
    become(state_ == State::queued ? State::lent : State::cpu);
}

void Surface::wait_for_submit() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return state_ == State::cpu || state_ == State::lent; });
}

uint64_t Surface::failed_submits() const {
    std::lock_guard lock(mutex_);
    return failed_submits_;
}

} // namespace v3doff
