// SPDX-License-Identifier: BSD-2-Clause
#include "core/picture.hpp"

#include <chrono>

#include "util/error.hpp"
#include "util/log.hpp"

namespace v3doff {
namespace {

using Clock = std::chrono::steady_clock;

thread_local int callback_depth = 0;

uint64_t ns_since(Clock::time_point start) {
    return uint64_t(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count());
}

const char *state_name(v3doff_picture_state state) {
    return state == V3DOFF_PICTURE_OPEN        ? "open"
           : state == V3DOFF_PICTURE_IN_FLIGHT ? "in flight"
                                               : "done";
}

} // namespace

bool Picture::in_callback() {
    return callback_depth > 0;
}

void Picture::expect(v3doff_picture_state state, const char *call) {
    v3doff_picture_state now = state_.load(std::memory_order_acquire);
    if (now != state)
        throw Error(V3DOFF_ERROR_INVALID_STATE, std::string(call) + ": the picture is " +
                                                    state_name(now) + ", not " + state_name(state));
}

void Picture::open(std::shared_ptr<Pool> pool, std::shared_ptr<PictureMemory> memory,
                   bool borrowed) {
    pool_ = std::move(pool);
    memory_ = std::move(memory);
    borrowed_ = borrowed;
    timers_.reserve(64);
    begin_records();
}

const std::shared_ptr<PictureMemory> &Picture::as_reference() {
    expect(V3DOFF_PICTURE_DONE, "reference");
    return memory_;
}

void Picture::reopen() {
    expect(V3DOFF_PICTURE_DONE, "reopen");
    if (memory_.use_count() > 1)
        throw Error(V3DOFF_ERROR_INVALID_STATE, "reopen: another picture still predicts from it");
    wait(UINT64_MAX); // a done callback may still be running
    begin_records();
}

void Picture::begin_records() {
    auto job = pool_->take_job();
    std::lock_guard lock(mutex_);
    job_ = std::move(job);
    memory_->changed();
    taken_back_ = 0;
    report_ = {};
    timers_.clear();
    final_ = false;
    refused_calls_ = 0;
    result_ = V3DOFF_OK;
    state_.store(V3DOFF_PICTURE_OPEN, std::memory_order_release);
}

std::shared_ptr<PictureMemory> Picture::finish_close() {
    if (state_ == V3DOFF_PICTURE_OPEN) {
        std::lock_guard lock(mutex_);
        pool_->give_job(std::move(job_));
        state_ = V3DOFF_PICTURE_DONE;
        final_ = true;
    } else {
        wait(UINT64_MAX);
    }
    pool_.reset();
    return std::move(memory_);
}

Picture::LaneGuard::LaneGuard(Picture &picture, uint32_t lane) : busy_(picture.lanes_[lane]) {
    if (busy_.test_and_set(std::memory_order_acquire))
        throw Error(V3DOFF_ERROR_WRONG_THREAD,
                    "lane " + std::to_string(lane) + " is in use by another thread");
    try {
        picture.expect(V3DOFF_PICTURE_OPEN, "record");
    } catch (...) {
        busy_.clear(std::memory_order_release);
        throw;
    }
}

void Picture::discard() {
    expect(V3DOFF_PICTURE_OPEN, "discard");
    job_->clear();
    taken_back_ = 0;
    refused_calls_ = 0;
}

// Empty, or why the GPU did not get it.
std::string Picture::submit_to_gpu() {
    vk::Device *device = pool_->device();
    if (!device || !memory_->gpu()) return "no GPU";
    if (device->bad()) return "the device is marked bad";
    try {
        job_->prepare(*memory_);
    } catch (const std::exception &problem) {
        LOG_WARNING("picture done on the CPU: %s", problem.what());
        return problem.what();
    }
    report_.dispatches = job_->dispatches();
    report_.cpu_records = taken_back_ + job_->run_before_gpu(*memory_);
    memory_->give_to_gpu();
    VkResult result = job_->submit(*this);
    if (result == VK_SUCCESS) return "";
    memory_->take_from_gpu(false);
    std::string reason = std::string("vkQueueSubmit: ") + vk::result_name(result);
    if (result == VK_ERROR_DEVICE_LOST) device->mark_bad(reason);
    LOG_WARNING("picture done on the CPU: %s", reason.c_str());
    return reason;
}

void Picture::begin_dump() {
    dump_ = job_->records() ? Dump::begin(view()) : nullptr;
    if (!dump_ || job_->save(format(), dump_->writer())) return;
    LOG_WARNING("a picture with work that dumps do not know is not dumped");
    dump_.reset();
}

void Picture::submit(const Done &done) {
    expect(V3DOFF_PICTURE_OPEN, "submit");
    if (uint32_t refused = refused_calls_)
        throw Error(V3DOFF_ERROR_INVALID_STATE, "submit: the picture would be wrong, " +
                                                    std::to_string(refused) +
                                                    " calls of a DSP table into it were refused");
    const auto start = Clock::now();
    std::string reason;
    {
        // Held until the submit has returned: a completion in that time waits for submit_ns.
        std::lock_guard lock(mutex_);
        done_ = done;
        report_.records = job_->records() + taken_back_;
        begin_dump();
        state_.store(V3DOFF_PICTURE_IN_FLIGHT, std::memory_order_release);
        reason = submit_to_gpu();
        if (reason.empty()) {
            report_.submit_ns = ns_since(start);
            return;
        }
    }
    v3doff_result result = do_on_cpu(reason.c_str());
    {
        std::lock_guard lock(mutex_);
        report_.submit_ns = ns_since(start);
    }
    become_done(V3DOFF_EXECUTOR_CPU, reason.c_str(), result);
}

v3doff_result Picture::do_on_cpu(const char *reason) noexcept {
    try {
        job_->run_cpu(*memory_);
        return V3DOFF_OK;
    } catch (const std::exception &problem) {
        LOG_ERROR("the CPU could not do a picture either (%s): %s", reason, problem.what());
        return V3DOFF_ERROR_OUT_OF_MEMORY;
    }
}

void Picture::finished(const vk::Outcome &outcome) noexcept {
    memory_->take_from_gpu(outcome.ok);
    v3doff_result result = V3DOFF_OK;
    {
        std::lock_guard lock(mutex_); // submit() has returned now
        if (outcome.ok) {
            timers_.assign(job_->read_timers().begin(), job_->read_timers().end());
            report_.gpu_ns = job_->gpu_ns();
        }
    }
    if (!outcome.ok) {
        job_->restore(*memory_);
        result = do_on_cpu(outcome.reason);
    }
    become_done(outcome.ok ? V3DOFF_EXECUTOR_GPU : V3DOFF_EXECUTOR_CPU, outcome.reason, result);
}

void Picture::become_done(v3doff_executor executor, const char *reason,
                          v3doff_result result) noexcept {
    if (dump_ && result == V3DOFF_OK) dump_->finish(view());
    dump_.reset();
    {
        std::lock_guard lock(mutex_);
        report_.executor = executor;
        if (executor == V3DOFF_EXECUTOR_CPU) {
            report_.dispatches = 0;
            report_.cpu_records = report_.records;
        }
        std::snprintf(report_.reason, sizeof report_.reason, "%s", reason);
        report_.timers = uint32_t(timers_.size());
        result_ = result;
        pool_->give_job(std::move(job_));
        state_.store(V3DOFF_PICTURE_DONE, std::memory_order_release);
    }
    if (done_.callback) {
        callback_depth++;
        done_.callback(done_.opaque, done_.handle);
        callback_depth--;
    }
    // The last touch: a waiter may close the picture as soon as the lock is free.
    std::lock_guard lock(mutex_);
    final_ = true;
    changed_.notify_all();
}

v3doff_result Picture::wait(uint64_t timeout_ns) {
    std::unique_lock lock(mutex_);
    if (state_ == V3DOFF_PICTURE_OPEN)
        throw Error(V3DOFF_ERROR_INVALID_STATE, "wait: the picture was not submitted");
    auto done = [this] { return final_; };
    // A time beyond what the clock can add up to is for ever.
    if (timeout_ns > uint64_t(INT64_MAX) / 4)
        changed_.wait(lock, done);
    else if (!changed_.wait_for(lock, std::chrono::nanoseconds(timeout_ns), done))
        return V3DOFF_NOT_READY;
    return result_;
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
