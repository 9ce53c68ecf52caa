// SPDX-License-Identifier: BSD-2-Clause
// Quality metrics of pairs in memory: frames per second with uploads and readback, and GPU time by
// kernel. Scores of every frame are compared with the CPU's.
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <random>

#include "bench/bench.hpp"
#include "v3doff/metrics.h"

namespace tool::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct CloseMetrics {
    void operator()(v3doff_metrics *handle) const { v3doff_metrics_destroy(&handle); }
};
using Metrics = std::unique_ptr<v3doff_metrics, CloseMetrics>;
using Scores = std::vector<v3doff_metrics_scores>;

// Two alternating pairs: soft shapes with noise, and the same with errors.
class Frames {
  public:
    Frames(uint32_t width, uint32_t height) : width_(width), height_(height) {
        std::mt19937 random(3);
        for (auto &pair : samples_)
            for (size_t n = 0; n < bytes(); n++) {
                const size_t x = n % width, y = n / width;
                const int value = int(128 + 60 * ((x / 16 + y / 16) % 2) + random() % 9);
                const int error = random() % 3 ? 0 : int(random() % 21) - 10;
                pair[0].push_back(uint8_t(value));
                pair[1].push_back(uint8_t(value + error));
            }
    }
    v3doff_planes planes(size_t frame, size_t image) {
        v3doff_planes planes{};
        planes.struct_size = sizeof planes;
        planes.count = 3;
        uint8_t *at = samples_[frame % 2][image].data();
        for (unsigned p = 0; p < 3; p++) {
            planes.data[p] = at;
            planes.stride[p] = p ? (width_ + 1) / 2 : width_;
            at += size_t(planes.stride[p]) * (p ? (height_ + 1) / 2 : height_);
        }
        return planes;
    }

  private:
    size_t bytes() const {
        return size_t(width_) * height_ + 2 * size_t((width_ + 1) / 2) * ((height_ + 1) / 2);
    }
    uint32_t width_, height_;
    std::vector<uint8_t> samples_[2][2];
};

struct ScoredFrames {
    Scores scores;
    double seconds = 0;
    Json kernels = Json::object();
};

Metrics open(v3doff_device *device, uint32_t width, uint32_t height, uint32_t metrics) {
    v3doff_metrics_info info{};
    info.struct_size = sizeof info;
    info.width = width;
    info.height = height;
    info.bit_depth = 8;
    info.chroma = V3DOFF_CHROMA_420;
    info.metrics = metrics;
    v3doff_metrics *handle = nullptr;
    check(v3doff_metrics_create(&handle, device, &info), "a metrics session");
    return Metrics(handle);
}

void pull(v3doff_metrics *metrics, Scores &scores, uint64_t timeout) {
    v3doff_metrics_scores next{};
    next.struct_size = sizeof next;
    const v3doff_result result = v3doff_metrics_pull(metrics, &next, timeout);
    check(result, "scores");
    if (result == V3DOFF_OK) scores.push_back(next);
}

ScoredFrames run_frames(v3doff_metrics *metrics, Frames &frames, size_t count, size_t warm_up) {
    ScoredFrames run;
    auto start = Clock::now();
    for (size_t n = 0; n < count; n++) {
        if (n == warm_up) start = Clock::now();
        v3doff_planes reference = frames.planes(n, 0), distorted = frames.planes(n, 1);
        check(v3doff_metrics_push(metrics, &reference, &distorted), "a pair");
        pull(metrics, run.scores, 0);
    }
    check(v3doff_metrics_finish(metrics), "finishing");
    while (run.scores.size() < count)
        pull(metrics, run.scores, UINT64_MAX);
    run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const char *name = nullptr;
    uint64_t ns = 0;
    for (uint32_t n = 0; n < run.scores.back().timers; n++) {
        check(v3doff_metrics_get_timer(metrics, n, &name, &ns), "a timer");
        run.kernels[name] = spread({double(ns) / 1000 / double(count)});
    }
    return run;
}

bool same(const v3doff_metrics_scores &a, const v3doff_metrics_scores &b) {
    // From psnr to the end of the values: all doubles, no padding.
    constexpr size_t first = offsetof(v3doff_metrics_scores, psnr);
    return !std::memcmp(a.psnr, b.psnr, offsetof(v3doff_metrics_scores, reason) - first);
}

// The CPU scored the first three frames; later scores repeat, including motion.
void compare(const ScoredFrames &run, const Scores &expected) {
    for (size_t n = 0; n + 1 < run.scores.size(); n++) { // the last one's motion2 is its own
        if (run.scores[n].executor != V3DOFF_EXECUTOR_GPU)
            throw std::runtime_error(
                fmt::format("frame {} was not scored by the GPU: {}", n, run.scores[n].reason));
        if (!same(run.scores[n], expected[n ? 2 - n % 2 : 0]))
            throw std::runtime_error(fmt::format("the scores of frame {} are wrong: not timed", n));
    }
}

void measure(const Session &session, uint32_t width, uint32_t height, uint32_t metrics,
             const std::string &name, Json &results) {
    Frames frames(width, height);
    Metrics cpu = open(session.cpu, width, height, metrics);
    const ScoredFrames plain = run_frames(cpu.get(), frames, 4, 0);
    const size_t warm_up = 4, count = warm_up + std::max(8u, session.repeats);
    // With timers, kernels run one after another, so the times and the rate need a run each.
    ScoredFrames timed =
        run_frames(open(session.device, width, height, metrics).get(), frames, 8, 0);
    DeviceChoice choice = session.choice;
    choice.timers = false;
    Device untimed = open_device(choice);
    ScoredFrames fast =
        run_frames(open(untimed.get(), width, height, metrics).get(), frames, count, warm_up);
    compare(timed, plain.scores);
    compare(fast, plain.scores);
    results.push_back({{"name", fmt::format("{}, 8 bit 4:2:0, {}x{}", name, width, height)},
                       {"repeats", count - warm_up},
                       {"scores_equal", true},
                       {"dispatches", fast.scores.back().dispatches},
                       {"frames_per_second", double(count - warm_up) / fast.seconds},
                       {"plain_cpu_frames_per_second", 4 / plain.seconds},
                       {"passes_us", timed.kernels}});
}

void time_metrics(const Session &session, Json &results) {
    constexpr uint32_t three = V3DOFF_METRIC_PSNR_HVS | V3DOFF_METRIC_MOTION | V3DOFF_METRIC_VIF;
    std::vector<std::pair<uint32_t, uint32_t>> sizes = {{1920, 1080}, {3840, 2160}};
    // Vulkan on the CPU takes seconds per frame: only test that it works.
    if (properties_of(session.device).kind == V3DOFF_DEVICE_KIND_SOFTWARE) sizes = {{320, 180}};
    for (auto [width, height] : sizes) {
        measure(session, width, height, three, "psnr_hvs + motion_v2 + vif", results);
        measure(session, width, height, V3DOFF_METRIC_ALL, "all metrics", results);
    }
}

} // namespace

void add_metrics(Families &families) {
    families.push_back(
        {"metrics", "quality metrics of pairs in memory, frames a second", time_metrics});
}

} // namespace tool::bench
