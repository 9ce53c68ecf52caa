// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/session.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "metrics/frame_results.hpp"
#include "util/error.hpp"
#include "util/fault.hpp"
#include "util/log.hpp"
#include "vk/device.hpp"

namespace v3doff::metrics {

void check_config(const Config &config) {
    const PictureFormat &f = config.format;
    auto refuse = [](v3doff_result code, const std::string &text) { throw Error(code, text); };
    if (f.width < 16 || f.height < 16)
        refuse(V3DOFF_ERROR_INVALID_ARGUMENT, "info: pictures smaller than 16x16 have no score");
    if (std::max(f.width, f.height) > 8192 || uint64_t(f.width) * f.height > 8192u * 4320u)
        refuse(V3DOFF_ERROR_INVALID_ARGUMENT, "info: larger than 8192x4320");
    if (!config.metrics || config.metrics & ~uint32_t(V3DOFF_METRIC_ALL))
        refuse(V3DOFF_ERROR_INVALID_ARGUMENT, "info->metrics: none, or unknown bits");
    if (f.bit_depth > 12)
        refuse(V3DOFF_ERROR_UNSUPPORTED, "info->bit_depth: metrics are defined for 8 to 12");
    if (!config.has(V3DOFF_METRIC_PSNR_HVS)) return;
    if (f.chroma == V3DOFF_CHROMA_400)
        refuse(V3DOFF_ERROR_UNSUPPORTED, "psnr_hvs is not defined for 4:0:0");
    for (unsigned p = 1; p < f.planes(); p++)
        if (f.plane_width(p) < 8 || f.plane_height(p) < 8)
            refuse(V3DOFF_ERROR_UNSUPPORTED, "psnr_hvs needs chroma planes of at least 8x8");
}

namespace {

// A device whose results the CPU would read uncached is slower than the CPU alone.
std::shared_ptr<vk::Device> with_readable_memory(std::shared_ptr<vk::Device> device) {
    try {
        if (device) vk::Buffer::create_readable(*device, 4096);
    } catch (const Error &problem) {
        if (problem.code() != V3DOFF_ERROR_UNSUPPORTED) throw;
        LOG_WARNING_ONCE("metrics are computed on the CPU: %s", problem.what());
        return nullptr;
    }
    return device;
}

// Also if V3DOFF_DEBUG=local_memory=on makes another device work like a discrete one, so that tests
// can do this anywhere.
bool as_discrete(const vk::Caps &caps) {
    return caps.kind == V3DOFF_DEVICE_KIND_DISCRETE || caps.passes_in_local_memory;
}

} // namespace

Session::Session(std::shared_ptr<vk::Device> device, const Config &config)
    : device_(with_readable_memory(std::move(device))), config_(config) {
    check_config(config_);
    size_t most_words = device_ ? device_->facts().buffer_reach() / 4 : SIZE_MAX;
    if (device_ && fault::hit(fault::Point::small_buffers)) most_words = (6u << 20) / 4;
    const bool discrete = device_ && as_discrete(device_->caps());
    for (bool first : {true, false})
        plans_[first ? 0 : 1] = plan_frame(config_, first, most_words, discrete);
    if (device_)
        scratch_ = std::make_unique<SharedScratch>(
            *device_, std::max(plans_[0].scratch_words, plans_[1].scratch_words));
    for (auto &frame : ring_) {
        frame = std::make_unique<Frame>();
        frame->session = this;
    }
}

Session::~Session() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
        return std::none_of(ring_.begin(), ring_.end(),
                            [](auto &frame) { return frame->state == State::in_flight; });
    });
}

void Session::make_buffers(Frame &frame) {
    if (!frame.samples)
        frame.samples = std::make_unique<FrameSamples>(device_.get(), config_, plans_[0].stride);
    if (device_ && !frame.gpu)
        frame.gpu = std::make_unique<FrameGpu>(
            *device_, std::max(plans_[0].result_words, plans_[1].result_words));
}

Pair Session::pair_of(const Frame &frame) {
    Pair pair;
    for (unsigned p = 0; p < config_.planes(); p++) {
        pair.reference[p] = frame.samples->reference(p);
        pair.distorted[p] = frame.samples->distorted(p);
    }
    if (frame.number) pair.previous = frame_of(frame.number - 1).samples->reference(0);
    return pair;
}

std::string Session::submit(Frame &frame) {
    if (!device_) return "no GPU in use";
    if (device_->bad()) return "the device failed earlier";
    try {
        const FrameSamples *previous =
            frame.number ? frame_of(frame.number - 1).samples.get() : nullptr;
        const vk::Commands &commands =
            frame.gpu->record(plan_of(frame), *scratch_, *frame.samples, previous);
        frame.scores.dispatches = frame.gpu->dispatches();
        return device_->timeline().submit(commands, frame);
    } catch (const Error &problem) {
        return problem.what();
    }
}

void Session::push(const PictureView &reference, const PictureView &distorted) {
    std::unique_lock lock(mutex_);
    if (finished_) throw Error(V3DOFF_ERROR_INVALID_STATE, "push after finish");
    // The frame that had this place must be done, and the one after it, which reads its luma.
    while (settled_ + ring_size - 1 <= pushed_) {
        settle(lock);
        if (settled_ + ring_size - 1 > pushed_) break;
        changed_.wait(lock);
    }
    Frame &frame = frame_of(pushed_);
    lock.unlock();
    make_buffers(frame);
    frame.samples->copy_in(reference, distorted);
    frame.number = pushed_;
    frame.scores = {};
    frame.scores.frame = frame.number;
    lock.lock();
    frame.state = State::in_flight;
    pushed_++;
    lock.unlock();
    std::string reason = submit(frame);
    if (reason.empty()) return;
    set_state(frame, State::failed, reason.c_str());
    if (!device_) {
        lock.lock();
        settle(lock);
    }
}

void Session::set_state(Frame &frame, State state, const char *reason) {
    std::lock_guard lock(mutex_);
    frame.state = state;
    std::snprintf(frame.scores.reason, sizeof frame.scores.reason, "%s", reason);
    if (state == State::failed) frame.scores.dispatches = 0;
    changed_.notify_all();
}

// Computes scores from the GPU's results. Only short work is left to the CPU.
void Session::score(Frame &frame) {
    const Pair pair = pair_of(frame);
    score_results(config_, plan_of(frame), frame.gpu->begin_results(), pair, frame.scores);
    frame.gpu->end_results();
    frame.scores.executor = V3DOFF_EXECUTOR_GPU;
    const auto &timers = frame.gpu->read_timers();
    frame.scores.gpu_ns = frame.gpu->gpu_ns();
    std::lock_guard lock(mutex_);
    for (const auto &timer : timers) {
        auto &total = timers_[timer.name];
        total.first = timer.name;
        total.second += timer.ns;
    }
    frame.scores.timers = uint32_t(timers_.size());
}

void Session::Frame::finished(const vk::Outcome &outcome) noexcept {
    if (!outcome.ok) return session->set_state(*this, State::failed, outcome.reason);
    try {
        session->score(*this);
        session->set_state(*this, State::scored, "");
    } catch (const std::exception &problem) {
        session->set_state(*this, State::failed, problem.what());
    }
}

// Moves scores of frames that are done, in order, to the results; does failed ones on the CPU. One
// thread at a time does so; the others wait for it.
void Session::settle(std::unique_lock<std::mutex> &lock) {
    if (settling_) return;
    settling_ = true;
    while (settled_ < pushed_) {
        Frame &frame = frame_of(settled_);
        if (frame.state == State::in_flight) break;
        if (frame.state == State::failed) {
            lock.unlock();
            try {
                score_on_cpu(config_, pair_of(frame), frame.scores);
            } catch (...) { // no memory: the frame stays failed, the next call tries again
                lock.lock();
                settling_ = false;
                throw;
            }
            frame.scores.executor = V3DOFF_EXECUTOR_CPU;
            lock.lock();
        }
        frame.state = State::free;
        results_.push_back(frame.scores);
        settled_++;
    }
    settling_ = false;
    changed_.notify_all();
}

void Session::finish() {
    std::lock_guard lock(mutex_);
    finished_ = true;
    changed_.notify_all();
}

bool Session::ready() const {
    if (results_.empty()) return false;
    if (!config_.has(V3DOFF_METRIC_MOTION) || results_.size() > 1) return true;
    return finished_ && settled_ == pushed_;
}

v3doff_metrics_scores Session::take_next() {
    v3doff_metrics_scores scores = results_.front();
    results_.pop_front();
    const bool first = pulled_++ == 0;
    // The lesser of the motion before and after the picture; the last has none after it.
    const double after = results_.empty() ? scores.motion : results_.front().motion;
    scores.motion2 = std::min(scores.motion, after);
    // The first picture has no motion before it: motion2 is 0, motion3 the motion after it.
    scores.motion3 = first ? after : scores.motion2;
    return scores;
}

v3doff_result Session::pull(v3doff_metrics_scores &scores, uint64_t timeout_ns) {
    using Clock = std::chrono::steady_clock;
    const auto most = std::chrono::nanoseconds(std::chrono::hours(24 * 365));
    const auto until =
        Clock::now() +
        std::min(std::chrono::nanoseconds(int64_t(std::min<uint64_t>(timeout_ns, INT64_MAX))),
                 most);
    std::unique_lock lock(mutex_);
    while (true) {
        settle(lock);
        if (ready()) break;
        if (finished_ && pulled_ == pushed_)
            throw Error(V3DOFF_ERROR_INVALID_STATE, "all scores were pulled");
        if (changed_.wait_until(lock, until) == std::cv_status::timeout) return V3DOFF_NOT_READY;
    }
    scores = take_next();
    return V3DOFF_OK;
}

vk::Commands::Timer Session::timer(uint32_t index) {
    std::lock_guard lock(mutex_);
    if (index >= timers_.size())
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "index: no kernel has that number");
    const auto &[name, total] = *std::next(timers_.begin(), index);
    return {total.first, total.second};
}

} // namespace v3doff::metrics
