// SPDX-License-Identifier: BSD-2-Clause
// A stream of pairs: a ring of frames, of which some are on the GPU, and scores in order.
//
// A frame's samples stay until the next frame is done, which reads the luma plane for motion, and
// until the frame's own scores are known: if the GPU fails, the CPU computes these from the
// samples.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "metrics/frame_gpu.hpp"
#include "vk/timeline.hpp"

namespace v3doff::metrics {

// Throws UNSUPPORTED or INVALID_ARGUMENT with the reason.
void check_config(const Config &config);

class Session {
  public:
    Session(std::shared_ptr<vk::Device> device, const Config &config); // null: CPU only
    ~Session();
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    const Config &config() const { return config_; }
    void push(const PictureView &reference, const PictureView &distorted);
    void finish();
    v3doff_result pull(v3doff_metrics_scores &scores, uint64_t timeout_ns);
    vk::Commands::Timer timer(uint32_t index);

  private:
    static constexpr size_t ring_size = 4;
    enum class State { free, in_flight, scored, failed };

    struct Frame final : vk::Pending {
        Session *session = nullptr;
        std::unique_ptr<FrameSamples> samples;
        std::unique_ptr<FrameGpu> gpu;
        State state = State::free;
        uint64_t number = 0;
        v3doff_metrics_scores scores{};
        void finished(const vk::Outcome &outcome) noexcept override;
    };

    Frame &frame_of(uint64_t number) { return *ring_[number % ring_size]; }
    const FramePlan &plan_of(const Frame &frame) const { return plans_[frame.number ? 1 : 0]; }
    Pair pair_of(const Frame &frame);
    void make_buffers(Frame &frame);
    std::string submit(Frame &frame); // returns an empty text, or why it failed
    void score(Frame &frame);
    void set_state(Frame &frame, State state, const char *reason);
    void settle(std::unique_lock<std::mutex> &lock);
    bool ready() const;
    v3doff_metrics_scores take_next();

    const std::shared_ptr<vk::Device> device_;
    const Config config_;
    std::array<FramePlan, 2> plans_; // for the first frame, and for all others
    std::unique_ptr<SharedScratch> scratch_;
    std::array<std::unique_ptr<Frame>, ring_size> ring_;

    std::mutex mutex_;
    std::condition_variable changed_;
    uint64_t pushed_ = 0, settled_ = 0, pulled_ = 0;
    bool finished_ = false, settling_ = false;
    std::deque<v3doff_metrics_scores> results_; // settled, not yet pulled
    std::map<std::string, std::pair<const char *, uint64_t>> timers_;
};

} // namespace v3doff::metrics
