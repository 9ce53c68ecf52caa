// SPDX-License-Identifier: BSD-2-Clause
// One picture from open to close: its state, its lanes, and its work from submit to done. If
// anything fails on the GPU, the CPU does the work.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <vector>

#include "picture/dump.hpp"
#include "picture/pool.hpp"
#include "picture/submission.hpp"

namespace v3doff {

// Why the GPU does not get a submission. Empty: it gets it. Making one allocates nothing.
class Reason {
  public:
    Reason(const char *text = "") { std::snprintf(text_, sizeof text_, "%s", text); }
    bool empty() const { return !text_[0]; }
    const char *text() const { return text_; }

  private:
    char text_[sizeof v3doff_picture_report::reason];
};

class Picture final {
  public:
    Picture() = default;

    // For Pool.
    void open(std::shared_ptr<Pool> pool, std::shared_ptr<Surface> surface, bool borrowed);
    void wait_until_idle(); // nothing of it is in flight, and all callbacks have returned
    std::shared_ptr<Surface> finish_close(); // waits, deletes the records
    bool borrowed() const { return borrowed_; }

    const PictureView &view() const { return surface_->view(); }
    const PictureFormat &format() const { return surface_->view().format; }
    Pool &pool() const { return *pool_; }

    // The samples, for another picture that is predicted from them. It keeps the pointer as long as
    // it needs them. Throws INVALID_STATE if this picture is not done.
    const std::shared_ptr<Surface> &as_reference();
    // The same for a picture in any state. If it has no records, its samples are the caller's, who
    // has completed them.
    const std::shared_ptr<Surface> &as_surface() const { return surface_; }

    // The same for other devices and processes, when the samples are final. Throws INVALID_STATE if
    // there are records, UNSUPPORTED if the memory is not a dma-buf.
    const Surface &share();

    // Holds a lane while a record is added. Throws INVALID_STATE or WRONG_THREAD.
    class LaneGuard {
      public:
        LaneGuard(Picture &picture, uint32_t lane);
        ~LaneGuard() { busy_.clear(std::memory_order_release); }
        LaneGuard(const LaneGuard &) = delete;
        LaneGuard &operator=(const LaneGuard &) = delete;

      private:
        std::atomic_flag &busy_;
    };
    template <typename T>
    T &stage(Slot slot) {
        return work_->stage<T>(slot);
    }

    // The CPU does now what the lane has recorded there. The caller holds the lane.
    void require(uint32_t lane, unsigned plane, const Rectangle &area) {
        taken_back_ += work_->take_back(lane, plane, area, view());
    }

    // Does the part of a submit that does not need the references, before they are submitted.
    void plan();
    // False: the plan has no such pass.
    bool fill_pass(uint32_t index, v3doff_pass &pass) const;
    enum class By { device, cpu };
    void submit(const Submission::Done &done, By by = By::device);
    // Submits the records, which must all be above luma row row_end. The picture stays open for the
    // rows below. False: these records can only be submitted together with later ones.
    bool submit_rows(uint32_t row_end, const Submission::Done &done);
    uint32_t submitted_rows() const { return submitted_rows_; }
    v3doff_result wait(uint64_t timeout_ns);
    void discard();
    // A call that the picture needed was refused: the picture cannot be submitted any more.
    void refuse_call() { refused_calls_.fetch_add(1, std::memory_order_relaxed); }
    void reopen();
    void fill_report(v3doff_picture_report &report);
    vk::Commands::Timer timer(uint32_t index);
    static bool in_callback();

  private:
    friend class Submission;
    void check_refused() const;
    bool splits() const;
    bool failed() const { return report_.reason[0]; } // no later submission goes to the GPU
    // next: the work for later records; null: there are none.
    Submission &add_submission(uint32_t row_end, const Submission::Done &done,
                               std::unique_ptr<Work> next);
    void hand_over(Submission &submission, By by = By::device) noexcept;
    Reason record(Submission &submission);
    Reason queue(Submission &submission, std::unique_lock<std::mutex> &lock);
    void finished(Submission &submission, const vk::Outcome &outcome) noexcept;
    bool hold_back(Submission &submission) noexcept; // true: a thread will conclude it
    bool passes(Work &work, const SelfTest &test) noexcept;
    void conclude(Submission &submission, bool ok, const char *reason) noexcept;
    void fail(Submission &submission, Submission::State to, const Reason &reason);
    void count(Submission &submission);
    void keep_timers(Submission &submission) noexcept;
    void do_the_rest(std::unique_lock<std::mutex> &lock) noexcept;
    void run_cpu(Submission &submission) noexcept;
    bool complete(Submission &submission, std::unique_lock<std::mutex> &lock) noexcept;
    void become_done(std::unique_lock<std::mutex> &lock) noexcept;
    void expect(v3doff_picture_state state, const char *call) const;
    void begin_records();
    void open_for_second_field(Submission &first);
    void wait_for_bands(std::unique_lock<std::mutex> &lock);
    void begin_dump();

    std::shared_ptr<Pool> pool_;
    std::shared_ptr<Surface> surface_;
    std::unique_ptr<Work> work_;  // takes the records
    uint32_t submitted_rows_ = 0; // above this luma row nothing can be recorded
    std::unique_ptr<Dump> dump_;  // null unless this picture is dumped
    bool borrowed_ = false;
    std::atomic<uint64_t> taken_back_{0}; // records of this work that require() did
    std::array<std::atomic_flag, V3DOFF_LANES> lanes_{};
    std::atomic<uint32_t> refused_calls_{0};

    std::atomic<v3doff_picture_state> state_{V3DOFF_PICTURE_DONE}; // changes under mutex_
    std::mutex mutex_;
    std::condition_variable changed_;
    Submissions submissions_;
    v3doff_result result_ = V3DOFF_OK;
    // The picture may be opened again before all who wait for it have noticed that it was done.
    uint64_t completions_ = 0;
    v3doff_result completed_result_ = V3DOFF_OK;
    v3doff_picture_report report_{};
    std::vector<vk::Commands::Timer> timers_;
};

} // namespace v3doff
