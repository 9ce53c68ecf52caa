// SPDX-License-Identifier: BSD-2-Clause
#include "picture/picture.hpp"

#include <chrono>

#include "util/error.hpp"
#include "util/log.hpp"

namespace v3doff {
namespace {

const char *state_name(v3doff_picture_state state) {
    return state == V3DOFF_PICTURE_OPEN        ? "open"
           : state == V3DOFF_PICTURE_IN_FLIGHT ? "in flight"
                                               : "done";
}

} // namespace

void Picture::expect(v3doff_picture_state state, const char *call) const {
    v3doff_picture_state now = state_.load(std::memory_order_acquire);
    if (now != state)
        throw Error(V3DOFF_ERROR_INVALID_STATE, std::string(call) + ": the picture is " +
                                                    state_name(now) + ", not " + state_name(state));
}

void Picture::open(std::shared_ptr<Pool> pool, std::shared_ptr<Surface> surface, bool borrowed) {
    pool_ = std::move(pool);
    surface_ = std::move(surface);
    borrowed_ = borrowed;
    timers_.reserve(64);
    begin_records();
}

const std::shared_ptr<Surface> &Picture::as_reference() {
    expect(V3DOFF_PICTURE_DONE, "reference");
    return surface_;
}

const Surface &Picture::share() {
    if (state_.load(std::memory_order_acquire) != V3DOFF_PICTURE_OPEN) {
        wait(UINT64_MAX);
    } else {
        const log::Later later;
        std::lock_guard lock(mutex_);
        if (work_->records() || submissions_.any(~Submission::told))
            throw Error(V3DOFF_ERROR_INVALID_STATE, "share: the picture was not submitted");
        surface_->changed(); // the CPU may have written since the last time
    }
    surface_->share();
    return *surface_;
}

// Needs mutex_. Of an open picture.
void Picture::wait_for_bands(std::unique_lock<std::mutex> &lock) {
    changed_.wait(lock, [this] {
        return !submissions_.any(Submission::queued | Submission::gpu_done | Submission::on_cpu);
    });
}

void Picture::reopen() {
    std::unique_lock lock(mutex_);
    if (state_ == V3DOFF_PICTURE_OPEN) {
        wait_for_bands(lock);
        surface_->end_submit(); // of a first field
        surface_->forget_records();
    } else {
        if (surface_->being_read())
            throw Error(V3DOFF_ERROR_INVALID_STATE,
                        "reopen: another picture still predicts from it");
        if (state_ == V3DOFF_PICTURE_IN_FLIGHT) {
            Submission &last = *submissions_.all().back();
            if (last.use != Surface::Use::field) expect(V3DOFF_PICTURE_DONE, "reopen");
            // Copies of the samples have both fields.
            if (surface_->in_place() && !Dump::wanted()) return open_for_second_field(last);
        }
        changed_.wait(lock, [this] { return submissions_.complete(); });
    }
    lock.unlock();
    begin_records();
}

// Needs mutex_. The device does one field after the other, and so does the CPU if one fails.
void Picture::open_for_second_field(Submission &first) {
    work_ = pool_->take_work();
    first.another_follows = true;
    submitted_rows_ = 0;
    refused_calls_ = 0;
    state_.store(V3DOFF_PICTURE_OPEN, std::memory_order_release);
}

void Picture::begin_records() {
    auto work = pool_->take_work();
    const log::Later later;
    std::lock_guard lock(mutex_);
    std::swap(work_, work);
    if (work) pool_->give_work(std::move(work)); // of an open picture
    surface_->changed();
    submissions_.clear();
    submitted_rows_ = 0;
    taken_back_ = 0;
    report_ = {};
    timers_.clear();
    refused_calls_ = 0;
    result_ = V3DOFF_OK;
    state_.store(V3DOFF_PICTURE_OPEN, std::memory_order_release);
}

void Picture::wait_until_idle() {
    if (state_ != V3DOFF_PICTURE_OPEN) {
        wait(UINT64_MAX);
        return;
    }
    std::unique_lock lock(mutex_);
    wait_for_bands(lock);
}

std::shared_ptr<Surface> Picture::finish_close() {
    wait_until_idle();
    if (state_ == V3DOFF_PICTURE_OPEN) {
        pool_->give_work(std::move(work_));
        surface_->end_submit();
        surface_->forget_records();
        state_ = V3DOFF_PICTURE_DONE;
    }
    pool_.reset();
    return std::move(surface_);
}

Picture::LaneGuard::LaneGuard(Picture &picture, uint32_t lane) : busy_(picture.lanes_[lane]) {
    if (busy_.test_and_set(std::memory_order_acquire))
        throw Error(V3DOFF_ERROR_WRONG_THREAD,
                    "lane " + std::to_string(lane) + " is in use by another thread");
    try {
        picture.expect(V3DOFF_PICTURE_OPEN, "record");
        picture.surface_->begin_records();
    } catch (...) {
        busy_.clear(std::memory_order_release);
        throw;
    }
}

void Picture::discard() {
    expect(V3DOFF_PICTURE_OPEN, "discard");
    work_->clear();
    if (!submitted_rows_) surface_->forget_records();
    taken_back_ = 0;
    refused_calls_ = 0;
}

v3doff_result Picture::wait(uint64_t timeout_ns) {
    std::unique_lock lock(mutex_);
    if (state_ == V3DOFF_PICTURE_OPEN)
        throw Error(V3DOFF_ERROR_INVALID_STATE, "wait: the picture was not submitted");
    const auto done = [this, before = completions_] {
        return submissions_.complete() || completions_ != before;
    };
    // A timeout that would overflow the clock means for ever.
    if (timeout_ns > uint64_t(INT64_MAX) / 4)
        changed_.wait(lock, done);
    else if (!changed_.wait_for(lock, std::chrono::nanoseconds(timeout_ns), done))
        return V3DOFF_NOT_READY;
    return completed_result_;
}

void Picture::fill_report(v3doff_picture_report &report) {
    std::lock_guard lock(mutex_);
    report = report_;
    report.state = state_;
}

vk::Commands::Timer Picture::timer(uint32_t index) {
    std::lock_guard lock(mutex_);
    if (index >= timers_.size())
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT,
                    "index: the picture has " + std::to_string(timers_.size()) + " timers");
    return timers_[index];
}

} // namespace v3doff
