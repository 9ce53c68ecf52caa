// SPDX-License-Identifier: BSD-2-Clause
// One submit of a picture's work: all of it, or the work of some rows while the decoder
// reconstructs the others. A picture's submissions are sent to the device and completed in the
// order of their rows.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "picture/work.hpp"

namespace v3doff {

class Picture;

class Submission final : public vk::Pending {
  public:
    explicit Submission(Picture &picture) : picture_(picture) {}

    // Bits, so that one call can ask for several states.
    enum State : unsigned {
        preparing = 1, // the caller's thread plans it
        queued = 2,    // the device has it
        gpu_done = 4,  // the device has done it; the caller must be told
        lost = 8,      // the device has failed; samples that it changed must be restored
        for_cpu = 16,  // the CPU must do it
        on_cpu = 32,   // a thread does it on the CPU; meanwhile no other goes to the device
        told = 64,     // done, and the caller has been told
    };
    enum class Rows { all, some, rest }; // rest: others were submitted before

    // The caller of a submit is told by `picture`, that of a submit of rows by `rows`.
    struct Done {
        v3doff_picture *handle = nullptr;
        void *opaque = nullptr;
        v3doff_done_callback picture = nullptr;
        v3doff_rows_callback rows = nullptr;
    };

    State state() const { return state_; }
    // The picture. Of two fields in flight the second one ends it.
    bool ends() const { return rows != Rows::some && !another_follows; }

    // Needs the picture's mutex.
    std::unique_ptr<Work> work;
    Rows rows = Rows::all;
    bool another_follows = false; // the picture was opened again before this was done
    uint32_t row_end = 0;
    Surface::Use use = Surface::Use::all;
    uint64_t records = 0, cpu_records = 0;
    Done done;

  private:
    friend class Submissions;
    void finished(const vk::Outcome &outcome) noexcept override;

    Picture &picture_;
    State state_ = preparing;
};

// A picture's submissions in their order. Only this class changes their states. All functions need
// the picture's mutex.
class Submissions {
  public:
    // Adds one in the state `preparing`.
    Submission &add(Picture &picture);
    // Removes all, and keeps their memory.
    void clear() { used_ = 0; }
    // Throws INTERNAL if a submission cannot change from its state to the new one. In a noexcept
    // caller this ends the program.
    void move(Submission &submission, Submission::State to);

    // In the order of their rows.
    std::span<const std::unique_ptr<Submission>> all() const { return {all_.data(), used_}; }
    // The first one in any of these states; null: none.
    Submission *first(unsigned states) const;
    bool any(unsigned states) const { return first(states); }
    // Whether all earlier ones are done, or will be done by the CPU.
    bool is_next(const Submission &submission) const {
        return first(Submission::queued | Submission::gpu_done) == &submission;
    }
    // Whether the picture's last submission is done and the caller has been told.
    bool complete() const {
        return used_ && all_[used_ - 1]->ends() && all_[used_ - 1]->state() == Submission::told;
    }

  private:
    std::vector<std::unique_ptr<Submission>> all_; // the first used_ are in use
    size_t used_ = 0;
};

} // namespace v3doff
