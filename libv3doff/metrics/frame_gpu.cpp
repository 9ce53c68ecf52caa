// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/frame_gpu.hpp"

#include <algorithm>

#include "util/error.hpp"
#include "util/fault.hpp"
#include "vk/device.hpp"

namespace v3doff::metrics {
SharedScratch::SharedScratch(vk::Device &device, size_t words)
    : buffer(vk::Buffer::create_private(device, words * 4)) {
    const std::vector<uint32_t> constants = frame_tables();
    tables = vk::Buffer::create(device, V3DOFF_MEMORY_STAGING, constants.size() * 4);
    tables->begin_cpu_access();
    std::memcpy(tables->data(), constants.data(), constants.size() * 4);
    tables->end_cpu_access();
}

FrameGpu::FrameGpu(vk::Device &device, size_t result_words)
    : device_(device), commands_(device),
      results_(vk::Buffer::create_readable(device, result_words * 4)) {}

void FrameGpu::record_copies(const FramePlan &plan, SharedScratch &scratch,
                             const FrameSamples &samples) {
    // The plans of a session's first and later frames differ in where the tables lie.
    commands_.copy(*scratch.tables, 0, *scratch.buffer, size_t(plan.table_first) * 4,
                   scratch.tables->size());
    for (unsigned image = 0; image < 2; image++)
        for (unsigned p = 0; p < max_planes && samples.has(p); p++)
            if (const vk::Buffer *local = samples.local(image, p))
                // The host's buffer may be larger, because it has whole pages.
                commands_.copy(samples.host(image, p), 0, *local, 0, local->size());
    commands_.barrier();
}

void FrameGpu::record_steps(const FramePlan &plan, const SharedScratch &scratch,
                            const FrameSamples &samples, const FrameSamples *previous) {
    std::vector<Sources> bound; // the index is the set
    auto set_of = [&](const Sources &sources) {
        const auto known = std::find(bound.begin(), bound.end(), sources);
        const uint32_t set = uint32_t(known - bound.begin());
        if (known != bound.end()) return set;
        const vk::Buffer &second =
            sources.previous ? previous->seen(0, 0) : samples.seen(1, sources.plane);
        commands_.bind(set, {vk::BufferView(samples.seen(0, sources.plane)), vk::BufferView(second),
                             vk::BufferView(*scratch.buffer)});
        bound.push_back(sources);
        return set;
    };
    // Kernels side by side cannot be timed one by one.
    const bool alone = device_.options().timers;
    dispatches_ = 0;
    for (const Phase &phase : plan.phases) {
        if (dispatches_ && !alone) commands_.barrier();
        // They may run in any order. This shows mistakes even on a device that runs them one by
        // one.
        const bool last_first = fault::hit(fault::Point::order);
        for (size_t n = 0; n < phase.steps.size(); n++) {
            const Step &step = phase.steps[last_first ? phase.steps.size() - 1 - n : n];
            if (dispatches_++ && alone) commands_.barrier();
            Dispatch dispatch = step.dispatch;
            dispatch.reference = set_of(step.sources);
            commands_.dispatch(dispatch);
        }
    }
}

const vk::Commands &FrameGpu::record(const FramePlan &plan, SharedScratch &scratch,
                                     const FrameSamples &samples, const FrameSamples *previous) {
    commands_.begin();
    record_copies(plan, scratch, samples);
    record_steps(plan, scratch, samples, previous);
    commands_.barrier();
    commands_.copy(*scratch.buffer, 0, *results_, 0, size_t(plan.result_words) * 4);
    return commands_;
}

std::span<const uint32_t> FrameGpu::begin_results() {
    results_->begin_cpu_access();
    return {reinterpret_cast<const uint32_t *>(results_->data_to_read()), results_->size() / 4};
}

} // namespace v3doff::metrics
