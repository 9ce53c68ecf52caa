// SPDX-License-Identifier: BSD-2-Clause
#include "picture/submission.hpp"

#include <algorithm>

#include "picture/picture.hpp"

namespace v3doff {
namespace {

// The states that may follow.
unsigned followers(Submission::State state) {
    switch (state) {
    case Submission::preparing:
        return Submission::queued | Submission::for_cpu;
    case Submission::queued: // for_cpu: the device has refused it
        return Submission::gpu_done | Submission::lost | Submission::for_cpu;
    case Submission::lost:
        return Submission::for_cpu;
    case Submission::for_cpu:
        return Submission::on_cpu;
    case Submission::gpu_done:
    case Submission::on_cpu:
        return Submission::told;
    case Submission::told:
        break;
    }
    return 0;
}

} // namespace

void Submission::finished(const vk::Outcome &outcome) noexcept {
    picture_.finished(*this, outcome);
}

Submission &Submissions::add(Picture &picture) {
    if (used_ == all_.size()) all_.push_back(std::make_unique<Submission>(picture));
    Submission &added = *all_[used_++];
    added.state_ = Submission::preparing;
    added.another_follows = false;
    added.use = Surface::Use::all;
    added.cpu_records = 0;
    return added;
}

void Submissions::move(Submission &submission, Submission::State to) {
    if (!(followers(submission.state_) & to))
        throw Error(V3DOFF_ERROR_INTERNAL, "a submission is in an impossible state");
    submission.state_ = to;
}

Submission *Submissions::first(unsigned states) const {
    const auto used = all();
    const auto found = std::find_if(used.begin(), used.end(), [states](const auto &submission) {
        return submission->state() & states;
    });
    return found == used.end() ? nullptr : found->get();
}

} // namespace v3doff
