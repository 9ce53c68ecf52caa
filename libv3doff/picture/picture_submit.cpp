// SPDX-License-Identifier: BSD-2-Clause
// How a picture's submissions get to the GPU, on the caller's thread.
#include "picture/picture.hpp"
#include "util/clock.hpp"
#include "util/error.hpp"
#include "util/log.hpp"

namespace v3doff {

void Picture::check_refused() const {
    if (uint32_t refused = refused_calls_)
        throw Error(V3DOFF_ERROR_INVALID_STATE, "submit: the picture would be wrong, " +
                                                    std::to_string(refused) +
                                                    " calls of a DSP table into it were refused");
}

// Whether the records can be submitted before the rest of the picture.
bool Picture::splits() const {
    return surface_->splits() && !Dump::wanted() && work_->extent(format());
}

bool Picture::submit_rows(uint32_t row_end, const Submission::Done &done) {
    expect(V3DOFF_PICTURE_OPEN, "submit_rows");
    check_refused();
    if (row_end <= submitted_rows_ || row_end >= format().height)
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT,
                    "row_end: " + std::to_string(row_end) + " is not between " +
                        std::to_string(submitted_rows_) + " and the picture's height");
    const auto rows = work_->extent(format());
    if (rows && !rows->empty() && (rows->first < submitted_rows_ || rows->end > row_end))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "records lie outside the submitted rows");
    if (!splits()) return false;
    const uint64_t start = steady_ns();
    auto next = pool_->take_work();
    hand_over(add_submission(row_end, done, std::move(next)));
    std::lock_guard lock(mutex_);
    report_.submit_ns += steady_ns() - start;
    return true;
}

// Errors are ignored: submit() meets them again, and then does the picture on the CPU.
void Picture::plan() {
    expect(V3DOFF_PICTURE_OPEN, "prepare");
    vk::Device *device = pool_->device();
    if (!device || device->bad() || !surface_->gpu()) return;
    const uint64_t start = steady_ns();
    try {
        work_->plan(*surface_);
    } catch (const std::exception &) {
    }
    std::lock_guard lock(mutex_);
    report_.submit_ns += steady_ns() - start;
}

bool Picture::fill_pass(uint32_t index, v3doff_pass &pass) const {
    expect(V3DOFF_PICTURE_OPEN, "get_pass");
    return work_->fill_pass(*surface_, index, pass);
}

void Picture::submit(const Submission::Done &done, By by) {
    expect(V3DOFF_PICTURE_OPEN, "submit");
    check_refused();
    if (!work_->has_references())
        throw Error(V3DOFF_ERROR_INVALID_STATE, "submit: a reference was not submitted");
    begin_dump();
    Submission &last = add_submission(format().height, done, nullptr);
    surface_->begin_submit();
    hand_over(last, by);
}

void Picture::begin_dump() {
    dump_ = work_->records() ? Dump::begin(view()) : nullptr;
    if (!dump_ || work_->save(format(), dump_->writer())) return;
    LOG_WARNING_ONCE("a picture is not dumped: dumps cannot store its kind of work");
    dump_.reset();
}

Submission &Picture::add_submission(uint32_t row_end, const Submission::Done &done,
                                    std::unique_ptr<Work> next) {
    std::lock_guard lock(mutex_);
    Submission &added = submissions_.add(*this);
    added.work = std::exchange(work_, std::move(next));
    added.rows = work_             ? Submission::Rows::some
                 : submitted_rows_ ? Submission::Rows::rest
                                   : Submission::Rows::all;
    added.row_end = row_end;
    added.records = added.work->records();
    added.work->begin_reading();
    added.done = done;
    // The number of these records that require() did; a later discard does not undo them.
    const uint64_t taken_back = taken_back_.exchange(0);
    report_.records += added.records + taken_back;
    report_.cpu_records += taken_back;
    report_.bands++;
    submitted_rows_ = row_end;
    if (added.ends()) state_.store(V3DOFF_PICTURE_IN_FLIGHT, std::memory_order_release);
    return added;
}

Reason Picture::record(Submission &submission) {
    vk::Device *device = pool_->device();
    if (!device || !surface_->gpu()) return "no GPU";
    if (device->bad()) return "the device is marked bad";
    Work &work = *submission.work;
    try {
        work.record(*surface_);
    } catch (const std::exception &problem) {
        LOG_WARNING_ONCE("picture done on the CPU: %s", problem.what());
        return problem.what();
    }
    submission.cpu_records = work.run_before_gpu(*surface_);
    if (work.old() == Plan::Old::gone)
        submission.use = Surface::Use::make;
    else if (work.old() == Plan::Old::beside)
        submission.use = Surface::Use::field;
    else if (submission.rows != Submission::Rows::all)
        submission.use = Surface::Use::rows;
    return "";
}

// From here on nothing is undone, and whatever fails, the CPU does the work.
void Picture::hand_over(Submission &submission, By by) noexcept {
    const uint64_t start = steady_ns();
    Reason reason = by == By::cpu ? Reason("the caller wants it on the CPU") : record(submission);
    std::unique_lock lock(mutex_);
    if (reason.empty() && failed()) reason = report_.reason;
    if (reason.empty()) {
        reason = queue(submission, lock);
        if (reason.empty()) {
            if (lock.owns_lock()) report_.submit_ns += steady_ns() - start;
            return;
        }
    }
    if (submission.ends()) report_.submit_ns += steady_ns() - start;
    fail(submission, Submission::for_cpu, reason);
    do_the_rest(lock);
}

// Needs mutex_, and holds it again if it fails. The last submission keeps it until the submit has
// returned, so that its completion waits for submit_ns. Before the last one the picture cannot
// become done, so completions need not wait.
Reason Picture::queue(Submission &submission, std::unique_lock<std::mutex> &lock) {
    submissions_.move(submission, Submission::queued); // so the CPU does no other one now
    if (!submission.ends()) lock.unlock();
    surface_->give_to_gpu(submission.use, submission.work->rows());
    Reason reason;
    try {
        reason = submission.work->queue(submission).c_str();
    } catch (const std::exception &problem) {
        reason = problem.what();
    }
    if (reason.empty()) {
        // Not earlier: a picture that predicts from this one must be behind it in the queue.
        if (submission.use == Surface::Use::make || submission.use == Surface::Use::field)
            surface_->queued(submission.work->on_device_copy());
        return reason;
    }
    // As long as it counts as queued, nobody else goes on with the picture.
    if (lock.owns_lock()) lock.unlock();
    LOG_WARNING_ONCE("picture done on the CPU: %s", reason.text());
    lock.lock();
    if (submission.use != Surface::Use::rows)
        surface_->take_from_gpu(submission.use, submission.work->rows());
    return reason;
}

} // namespace v3doff
