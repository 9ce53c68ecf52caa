// SPDX-License-Identifier: BSD-2-Clause
#include "score/run.hpp"

#include <chrono>
#include <future>

namespace tool::score {
namespace {

struct CloseMetrics {
    void operator()(v3doff_metrics *handle) const { v3doff_metrics_destroy(&handle); }
};
using Metrics = std::unique_ptr<v3doff_metrics, CloseMetrics>;

Metrics open_metrics(v3doff_device *device, const VideoFormat &format, uint32_t metrics) {
    v3doff_metrics_info info{};
    info.struct_size = sizeof info;
    info.width = format.width;
    info.height = format.height;
    info.bit_depth = format.bit_depth;
    info.chroma = format.chroma;
    info.metrics = metrics;
    v3doff_metrics *handle = nullptr;
    check(v3doff_metrics_create(&handle, device, &info), "metrics of these videos");
    return Metrics(handle);
}

// Takes all finished scores; with wait, waits for one.
void pull(v3doff_metrics *metrics, std::vector<v3doff_metrics_scores> &frames, bool wait) {
    while (true) {
        v3doff_metrics_scores scores{};
        scores.struct_size = sizeof scores;
        v3doff_result result = v3doff_metrics_pull(metrics, &scores, wait ? UINT64_MAX : 0);
        check(result, "scores");
        if (result == V3DOFF_NOT_READY) return;
        frames.push_back(scores);
        if (wait) return;
    }
}

uint64_t count_rest(Video &video) {
    v3doff_planes planes;
    uint64_t count = 1;
    while (video.next(planes))
        count++;
    return count;
}

// Adds the time until the end of its scope.
class Adds {
  public:
    explicit Adds(double &seconds) : seconds_(seconds) {}
    ~Adds() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    double &seconds_;
    Clock::time_point start_ = Clock::now();
};

bool read_pair(Video &reference, Video &distorted, v3doff_planes (&pair)[2], Outcome &outcome) {
    const Adds adds(outcome.times.reading);
    // The files are read side by side.
    auto other = std::async(std::launch::async, [&] { return distorted.next(pair[1]); });
    const bool has_reference = reference.next(pair[0]), has_distorted = other.get();
    if (has_reference && has_distorted) return true;
    if (has_reference) outcome.left_out_reference = count_rest(reference);
    if (has_distorted) outcome.left_out_distorted = count_rest(distorted);
    return false;
}

} // namespace

Outcome run(v3doff_device *device, uint32_t bits, Video &reference, Video &distorted,
            const std::function<void(uint64_t)> &progress) {
    Metrics metrics = open_metrics(device, reference.format(), bits);
    Outcome outcome;
    uint64_t pushed = 0;
    v3doff_planes pair[2];
    auto scores_until = [&](uint64_t count) {
        const Adds adds(outcome.times.waiting);
        while (outcome.frames.size() < count)
            pull(metrics.get(), outcome.frames, true);
    };
    while (read_pair(reference, distorted, pair, outcome)) {
        // Otherwise the session would wait for a free slot, and the time would count as copying.
        if (pushed > 3) scores_until(pushed - 3);
        {
            const Adds adds(outcome.times.copying);
            check(v3doff_metrics_push(metrics.get(), &pair[0], &pair[1]), "scoring a pair");
        }
        pushed++;
        pull(metrics.get(), outcome.frames, false);
        progress(pushed);
    }
    check(v3doff_metrics_finish(metrics.get()), "finishing");
    scores_until(pushed);
    return outcome;
}

} // namespace tool::score
