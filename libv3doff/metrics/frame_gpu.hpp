// SPDX-License-Identifier: BSD-2-Clause
// One frame on the GPU: its command buffer and what comes back.
#pragma once

#include <span>

#include "metrics/frame_plan.hpp"
#include "metrics/frame_samples.hpp"
#include "vk/commands.hpp"

namespace v3doff::metrics {

// What all frames of a session share: the tables and the values between dispatches. Frames take
// turns with it on the queue; each begins with a barrier.
struct SharedScratch {
    std::unique_ptr<vk::Buffer> buffer, tables;

    SharedScratch(vk::Device &device, size_t words);
};

class FrameGpu {
  public:
    FrameGpu(vk::Device &device, size_t result_words);

    // previous: null for the first frame.
    const vk::Commands &record(const FramePlan &plan, SharedScratch &scratch,
                               const FrameSamples &samples, const FrameSamples *previous);
    uint32_t dispatches() const { return dispatches_; }

    // After the submit has finished.
    std::span<const uint32_t> begin_results();
    void end_results() { results_->end_cpu_access(); }
    const std::vector<vk::Commands::Timer> &read_timers() { return commands_.read_timers(); }
    uint64_t gpu_ns() const { return commands_.span_ns(); }

  private:
    void record_copies(const FramePlan &plan, SharedScratch &scratch, const FrameSamples &samples);
    void record_steps(const FramePlan &plan, const SharedScratch &scratch,
                      const FrameSamples &samples, const FrameSamples *previous);

    vk::Device &device_;
    vk::Commands commands_;
    std::unique_ptr<vk::Buffer> results_;
    uint32_t dispatches_ = 0;
};

} // namespace v3doff::metrics
