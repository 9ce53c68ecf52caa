// SPDX-License-Identifier: BSD-2-Clause
// The way of a picture's bands to the GPU, and back to the CPU when one fails: then all bands
// behind it that the GPU has are waited for, the samples are put back newest band first, and the
// CPU does from the failed band on what is there and what still comes.
#include <algorithm>
#include <chrono>

#include "picture/picture.hpp"
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

void tell(const Submission::Done &done, uint32_t row_end) {
    if (!done.callback) return;
    callback_depth++;
    done.callback(done.opaque, done.handle, row_end);
    callback_depth--;
}

} // namespace

bool Picture::in_callback() {
    return callback_depth > 0;
}

void Submission::finished(const vk::Outcome &outcome) noexcept {
    picture_.finished(*this, outcome);
}

void Picture::check_refused() const {
    if (uint32_t refused = refused_calls_)
        throw Error(V3DOFF_ERROR_INVALID_STATE, "submit: the picture would be wrong, " +
                                                    std::to_string(refused) +
                                                    " calls of a DSP table into it were refused");
}

// Whether what is recorded can go before the rest of the picture.
bool Picture::splits() const {
    return memory_->splits() && !Dump::wanted() && job_->extent(format());
}

bool Picture::submit_rows(uint32_t row_end, const Submission::Done &done) {
    expect(V3DOFF_PICTURE_OPEN, "submit_rows");
    check_refused();
    if (row_end <= submitted_rows_ || row_end >= format().height)
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT,
                    "row_end: " + std::to_string(row_end) + " is not between " +
                        std::to_string(submitted_rows_) + " and the picture's height");
    const auto rows = job_->extent(format());
    const uint32_t first = bands_used_ ? bands_[bands_used_ - 1]->row_end : 0;
    if (rows && !rows->empty() && (rows->first < first || rows->end > row_end))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "records lie outside of the rows that are due");
    if (!splits()) return false;
    const auto start = Clock::now();
    auto next = pool_->take_work();
    hand_over(take_band(row_end, done, std::move(next)));
    std::lock_guard lock(mutex_);
    report_.submit_ns += ns_since(start);
    return true;
}

void Picture::submit(const Done &done) {
    expect(V3DOFF_PICTURE_OPEN, "submit");
    check_refused();
    done_ = done;
    begin_dump(*job_);
    memory_->begin_write();
    Submission &band = take_band(format().height, {}, nullptr);
    hand_over(band);
}

void Picture::begin_dump(const Work &job) {
    dump_ = job.records() ? Dump::begin(view()) : nullptr;
    if (!dump_ || job.save(format(), dump_->writer())) return;
    LOG_WARNING_ONCE("a picture with work that dumps do not know is not dumped");
    dump_.reset();
}

Submission &Picture::take_band(uint32_t row_end, const Submission::Done &done, std::unique_ptr<Work> next) {
    std::lock_guard lock(mutex_);
    if (bands_used_ == bands_.size()) bands_.push_back(std::make_unique<Submission>(*this));
    Submission &band = *bands_[bands_used_++];
    band.job = std::exchange(job_, std::move(next));
    band.row_end = row_end;
    band.last = !job_;
    band.part = bands_used_ > 1 || !band.last;
    band.on_gpu = false;
    band.state = Submission::State::in_flight;
    band.records = band.job->records();
    band.cpu_records = 0;
    band.done = done;
    // What require() did of these records; a later discard does not undo it.
    const uint64_t taken_back = taken_back_.exchange(0);
    report_.records += band.records + taken_back;
    report_.cpu_records += taken_back;
    report_.bands++;
    submitted_rows_ = row_end;
    if (band.last) state_.store(V3DOFF_PICTURE_IN_FLIGHT, std::memory_order_release);
    return band;
}

// Empty, or why the GPU does not get it.
std::string Picture::prepare(Submission &band) {
    vk::Device *device = pool_->device();
    if (!device || !memory_->gpu()) return "no GPU";
    if (device->bad()) return "the device is marked bad";
    try {
        band.job->prepare(*memory_);
    } catch (const std::exception &problem) {
        LOG_WARNING_ONCE("picture done on the CPU: %s", problem.what());
        return problem.what();
    }
    band.cpu_records = band.job->run_before_gpu(*memory_);
    if (band.job->whole())
        memory_->begin_gpu_write();
    else if (band.part)
        memory_->give_rows_to_gpu(band.job->rows());
    else
        memory_->give_to_gpu();
    return "";
}

std::string Picture::submit_to_gpu(Submission &band) {
    std::string reason;
    try {
        reason = band.job->submit(pool_->device()->timeline(), band);
        if (reason.empty()) return reason;
    } catch (const std::exception &problem) {
        reason = problem.what();
    }
    if (!band.part) memory_->take_from_gpu(false);
    LOG_WARNING_ONCE("picture done on the CPU: %s", reason.c_str());
    return reason;
}

void Picture::hand_over(Submission &band) {
    const auto start = Clock::now();
    std::string reason = prepare(band);
    {
        // Held until the last submit has returned: a completion in that time waits for submit_ns.
        // Before the last one the picture cannot become done, and completions need not wait.
        std::unique_lock lock(mutex_);
        if (reason.empty() && failed_) reason = report_.reason;
        if (reason.empty()) {
            in_flight_++;
            band.on_gpu = true;
            if (!band.last) lock.unlock();
            reason = submit_to_gpu(band);
            if (reason.empty()) {
                if (band.last) report_.submit_ns += ns_since(start);
                return;
            }
            if (!band.last) lock.lock();
            in_flight_--;
            band.on_gpu = false;
        }
        if (band.last) report_.submit_ns += ns_since(start);
        if (!fail(band, reason)) return;
    }
    do_on_cpu();
}

// With mutex_. Whether the calling thread has to do what the CPU has to do; otherwise another one
// does, once it has waited for the GPU.
bool Picture::fail(Submission &band, const std::string &reason) {
    if (!failed_) std::snprintf(report_.reason, sizeof report_.reason, "%s", reason.c_str());
    failed_ = true;
    band.state = Submission::State::for_cpu;
    memory_->gpu_write_failed();
    if (in_flight_ || cpu_works_) return false;
    return cpu_works_ = true;
}

void Picture::finished(Submission &band, const vk::Outcome &outcome) noexcept {
    if (band.part)
        memory_->take_rows_from_gpu(band.job->rows());
    else
        memory_->take_from_gpu(outcome.ok);
    const bool held = band.job->references_held();
    bool ok;
    {
        std::lock_guard lock(mutex_); // submit() has returned now
        ok = outcome.ok && held && !failed_;
        if (ok)
            count(band);
        else
            fail(band, held ? outcome.reason : "a reference was done on the CPU");
        if (ok && band.last) in_flight_ = 0;
    }
    if (ok && band.last) return become_done(band);
    if (ok) complete(band);
    std::unique_lock lock(mutex_);
    if (--in_flight_) return;
    if (failed_) { // all that the GPU has had is here: the samples can be put back
        cpu_works_ = true;
        lock.unlock();
        return do_on_cpu();
    }
    changed_.notify_all(); // the picture may be waiting to be closed
}

// With mutex_: what the GPU has done.
void Picture::count(Submission &band) {
    const auto &timers = band.job->read_timers();
    timers_.insert(timers_.end(), timers.begin(), timers.end());
    report_.gpu_ns += band.job->gpu_ns();
    report_.dispatches += band.job->dispatches();
    report_.cpu_records += band.cpu_records;
    band.state = Submission::State::gpu_done;
}

void Picture::run_cpu(Submission &band) noexcept {
    try {
        band.job->run_cpu(*memory_);
    } catch (const std::exception &problem) {
        LOG_ERROR("the CPU could not do a picture either (%s): %s", report_.reason, problem.what());
        result_ = V3DOFF_ERROR_OUT_OF_MEMORY;
    }
}

// What the CPU has to do, until nothing is left of it. No band goes to the GPU meanwhile.
void Picture::do_on_cpu() noexcept {
    std::unique_lock lock(mutex_);
    for (size_t i = bands_used_; i--;)
        if (bands_[i]->state == Submission::State::for_cpu && bands_[i]->on_gpu)
            bands_[i]->job->restore(*memory_);
    while (true) {
        const auto end = bands_.begin() + ptrdiff_t(bands_used_);
        const auto next = std::find_if(bands_.begin(), end, [](const auto &band) {
            return band->state == Submission::State::for_cpu;
        });
        if (next == end) break;
        Submission &band = **next;
        const bool last = band.last;
        lock.unlock();
        run_cpu(band);
        lock.lock();
        band.state = Submission::State::cpu_done;
        report_.cpu_records += band.records;
        lock.unlock();
        complete(band);
        if (last) return; // the picture may be another one by now
        lock.lock();
    }
    cpu_works_ = false;
    changed_.notify_all();
}

// Work on the band is done. After the last one the picture may be closed.
void Picture::complete(Submission &band) noexcept {
    if (band.last) return become_done(band);
    pool_->give_work(std::move(band.job));
    tell(band.done, band.row_end);
}

void Picture::fill_final_report() {
    report_.executor = failed_ ? V3DOFF_EXECUTOR_CPU : V3DOFF_EXECUTOR_GPU;
    report_.timers = uint32_t(timers_.size());
}

void Picture::become_done(Submission &last) noexcept {
    memory_->end_write();
    if (dump_ && result_ == V3DOFF_OK) dump_->finish(view());
    dump_.reset();
    {
        std::lock_guard lock(mutex_);
        fill_final_report();
        pool_->give_work(std::move(last.job));
        state_.store(V3DOFF_PICTURE_DONE, std::memory_order_release);
    }
    if (done_.callback) {
        callback_depth++;
        done_.callback(done_.opaque, done_.handle);
        callback_depth--;
    }
    // The last touch: a waiter may close the picture as soon as the lock is free.
    std::lock_guard lock(mutex_);
    cpu_works_ = false;
    final_ = true;
    changed_.notify_all();
}

} // namespace v3doff
