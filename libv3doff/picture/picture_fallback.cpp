// SPDX-License-Identifier: BSD-2-Clause
// What happens to a picture's submissions after the GPU had them. If one fails, the picture waits
// for all later ones that the GPU has and restores the samples, newest first. Then the CPU does the
// failed one and all later ones, including those that are still to come.
#include <new>

#include "picture/picture.hpp"
#include "util/log.hpp"
#include "util/process.hpp"

namespace v3doff {
namespace {

template <typename Call>
void call_back(Call call) {
    process::Callback inside;
    call();
}

} // namespace

bool Picture::in_callback() {
    return process::Callback::inside();
}

// Needs mutex_.
void Picture::fail(Submission &submission, Submission::State to, const Reason &reason) {
    if (!failed()) std::snprintf(report_.reason, sizeof report_.reason, "%s", reason.text());
    submissions_.move(submission, to);
    surface_->submit_failed();
    changed_.notify_all(); // a later submission may wait for this one
}

void Picture::finished(Submission &submission, const vk::Outcome &outcome) noexcept {
    surface_->take_from_gpu(submission.use, submission.work->rows());
    // A self-test compares whole pictures. The CPU needs none of their old samples.
    if (outcome.ok && submission.use == Surface::Use::make)
        surface_->copy_out(submission.work->rows());
    if (outcome.ok && hold_back(submission)) return;
    conclude(submission, outcome.ok, outcome.reason);
}

// reason: why the result cannot be used.
void Picture::conclude(Submission &submission, bool ok, const char *reason) noexcept {
    const bool held = submission.work->references_held();
    // The CPU needs the old samples if it has to do the work.
    if (ok && held && submission.use != Surface::Use::make)
        surface_->copy_out(submission.work->rows());
    std::unique_lock lock(mutex_); // submit() has returned now
    // A field that was compared on another thread may still be on its way.
    changed_.wait(lock, [&] { return submissions_.is_next(submission); });
    if (ok && held && !failed()) {
        count(submission);
        if (complete(submission, lock)) return;
    } else {
        fail(submission, Submission::lost, held ? reason : "a reference was done on the CPU");
    }
    do_the_rest(lock);
}

// Needs mutex_. A picture is as good without them.
void Picture::keep_timers(Submission &submission) noexcept {
    try {
        const auto &timers = submission.work->read_timers();
        timers_.insert(timers_.end(), timers.begin(), timers.end());
    } catch (const std::bad_alloc &) {
    }
}

// Needs mutex_. Adds what the GPU has done to the report.
void Picture::count(Submission &submission) {
    keep_timers(submission);
    report_.gpu_ns += submission.work->gpu_ns();
    report_.dispatches += submission.work->dispatches();
    report_.cpu_records += submission.cpu_records;
    submissions_.move(submission, Submission::gpu_done);
}

void Picture::run_cpu(Submission &submission) noexcept {
    try {
        submission.work->run_cpu(*surface_);
    } catch (const std::exception &problem) {
        LOG_ERROR("the CPU could not do a picture either (%s): %s", report_.reason, problem.what());
        result_ = V3DOFF_ERROR_OUT_OF_MEMORY;
    }
}

// Needs mutex_. Does all that is left for the CPU, unless the GPU still has a submission or another
// thread does one.
void Picture::do_the_rest(std::unique_lock<std::mutex> &lock) noexcept {
    if (submissions_.any(Submission::queued | Submission::gpu_done | Submission::on_cpu)) return;
    // The GPU has no submission any more, so the samples can be restored.
    const auto all = submissions_.all();
    for (size_t i = all.size(); i--;)
        if (all[i]->state() == Submission::lost) {
            all[i]->work->restore(*surface_);
            submissions_.move(*all[i], Submission::for_cpu);
        }
    while (Submission *next = submissions_.first(Submission::for_cpu)) {
        submissions_.move(*next, Submission::on_cpu);
        report_.cpu_records += next->records;
        lock.unlock();
        run_cpu(*next);
        lock.lock();
        if (complete(*next, lock)) return;
    }
    changed_.notify_all(); // the picture may be waiting to be closed
}

// Needs mutex_. Called when the work of a submission is done. True after the last one: mutex_ is
// released, and the picture may already be another one. Otherwise mutex_ is held again, because the
// picture may be closed as soon as it is released.
bool Picture::complete(Submission &submission, std::unique_lock<std::mutex> &lock) noexcept {
    const bool last = submission.ends();
    pool_->give_work(std::move(submission.work));
    if (submission.rows != Submission::Rows::some)
        report_.executor = failed() ? V3DOFF_EXECUTOR_CPU : V3DOFF_EXECUTOR_GPU;
    if (last) become_done(lock);
    lock.unlock();
    const Submission::Done &done = submission.done;
    if (done.rows) call_back([&] { done.rows(done.opaque, done.handle, submission.row_end); });
    if (done.picture) call_back([&] { done.picture(done.opaque, done.handle); });
    lock.lock();
    submissions_.move(submission, Submission::told);
    if (last) completions_++, completed_result_ = result_;
    changed_.notify_all();
    if (last) lock.unlock();
    return last;
}

void Picture::become_done(std::unique_lock<std::mutex> &lock) noexcept {
    surface_->end_submit();
    if (dump_) {
        lock.unlock(); // writing a dump takes a while
        if (result_ == V3DOFF_OK) dump_->finish(view());
        dump_.reset();
        lock.lock();
    }
    report_.timers = uint32_t(timers_.size());
    state_.store(V3DOFF_PICTURE_DONE, std::memory_order_release);
}

} // namespace v3doff
