// SPDX-License-Identifier: BSD-2-Clause
#include "policy/tune.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <optional>
#include <random>

#include "picture/pool.hpp"
#include "util/process.hpp"
#include "vk/device.hpp"
#include "vk/timeline.hpp"

namespace v3doff {
namespace {

constexpr unsigned repeats = 5;
// A program's pictures wait while the device does a trial's. After this time a trial ends with what
// it has.
constexpr uint64_t long_enough_ns = 40'000'000;

uint64_t clock_ns(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return uint64_t(time.tv_sec) * 1000000000u + uint64_t(time.tv_nsec);
}

// Smooth with noise, so that filters find both edges to smooth and edges to keep.
std::vector<std::byte> content(const PictureView &picture) {
    std::mt19937 random(11);
    std::vector<std::byte> bytes;
    for (unsigned p = 0; p < picture.format.planes(); p++)
        for (uint32_t y = 0; y < picture.plane[p].padded_height; y++)
            for (uint32_t x = 0; x < picture.plane[p].padded_width; x++)
                bytes.push_back(std::byte(uint8_t(96 + (x / 16 + y / 16) % 8 * 4 + random() % 6)));
    return bytes;
}

// This includes the padding. Its values do not matter, but must be the same each time.
void fill(const PictureView &picture, const std::vector<std::byte> &bytes) {
    const std::byte *from = bytes.data();
    for (unsigned p = 0; p < picture.format.planes(); p++)
        for (uint32_t y = 0; y < picture.plane[p].padded_height; y++) {
            const PlaneView &plane = picture.plane[p];
            std::memcpy(plane.data + ptrdiff_t(y) * plane.stride, from, plane.padded_width);
            from += plane.padded_width;
        }
}

// Only visible samples: a decoder's functions filter whole blocks, also beyond the picture's end.
std::vector<std::byte> read(const PictureView &picture) {
    std::vector<std::byte> bytes;
    for (unsigned p = 0; p < picture.format.planes(); p++)
        for (uint32_t y = 0; y < picture.plane[p].height; y++) {
            const std::byte *row = picture.plane[p].data + ptrdiff_t(y) * picture.plane[p].stride;
            bytes.insert(bytes.end(), row, row + picture.plane[p].width);
        }
    return bytes;
}

double median_us(std::vector<uint64_t> ns) {
    std::nth_element(ns.begin(), ns.begin() + ptrdiff_t(ns.size() / 2), ns.end());
    return double(ns[ns.size() / 2]) / 1000;
}

// A picture of a pool, closed at the end.
class OpenPicture {
  public:
    explicit OpenPicture(std::shared_ptr<Pool> pool)
        : pool_(std::move(pool)), picture_(pool_->open(nullptr)) {}
    ~OpenPicture() { pool_->close(picture_); }
    OpenPicture(const OpenPicture &) = delete;
    OpenPicture &operator=(const OpenPicture &) = delete;
    Picture *operator->() { return picture_; }
    Picture &operator*() { return *picture_; }

  private:
    std::shared_ptr<Pool> pool_;
    Picture *picture_;
};

struct Meter {
    vk::Device &device;
    bool whole_process;
    uint64_t now() const {
        return whole_process
                   ? clock_ns(CLOCK_PROCESS_CPUTIME_ID)
                   : clock_ns(CLOCK_THREAD_CPUTIME_ID) + device.timeline().thread_cpu_ns();
    }
};

} // namespace

uint64_t steady_ns() {
    return clock_ns(CLOCK_MONOTONIC);
}

bool TuneLimits::over() const {
    return steady_ns() > end_ns || permission.withdrawn() || process::ends();
}

std::string cpu_name() {
    std::ifstream info("/proc/cpuinfo");
    std::string line, part;
    while (std::getline(info, line)) {
        const size_t colon = line.find(": ");
        if (colon == std::string::npos) continue;
        if (line.starts_with("model name")) return line.substr(colon + 2);
        // Arm has numbers: of who made the core, and of the core.
        if (line.starts_with("CPU implementer") && part.empty()) part = line.substr(colon + 2);
        if (line.starts_with("CPU part")) return "Arm " + part + " " + line.substr(colon + 2);
    }
    return "unknown";
}

TrialResult run_trial(std::shared_ptr<vk::Device> device, v3doff_memory_path memory,
                      const Trial &trial, const TuneLimits &limits, RecipeEntry &entry) {
    const Meter meter{*device, limits.whole_process};
    const auto pool = std::make_shared<Pool>(device, PoolKind{trial.format, 2, memory});
    OpenPicture picture(pool);
    const std::vector<std::byte> before = content(picture->view());
    std::optional<OpenPicture> reference;
    if (trial.predict_from) {
        reference.emplace(pool);
        fill((*reference)->view(), before);
        trial.predict_from(**reference);
    }
    std::vector<std::byte> after;
    std::vector<uint64_t> simd_ns, offload_ns, device_ns;
    // One more than is counted: the first run makes pipelines and touches memory for the first
    // time.
    uint64_t busy_ns = 0;
    for (unsigned i = 0; i <= repeats && busy_ns < long_enough_ns; i++) {
        if (limits.over()) return TrialResult::out_of_time;
        fill(picture->view(), before);
        uint64_t cpu_start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        if (!limits.permission.use([&] { trial.run_simd(picture->view()); }))
            return TrialResult::out_of_time;
        if (i) simd_ns.push_back(clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_start);
        if (!i) after = read(picture->view());

        if (limits.over()) return TrialResult::out_of_time;
        fill(picture->view(), before);
        cpu_start = meter.now();
        trial.record(*picture);
        const uint64_t start = steady_ns();
        picture->submit({});
        picture->wait(UINT64_MAX);
        if (i) device_ns.push_back(steady_ns() - start);
        if (i) busy_ns += device_ns.back();
        if (i) offload_ns.push_back(meter.now() - cpu_start);
        v3doff_picture_report report{};
        picture->fill_report(report);
        if (report.executor != V3DOFF_EXECUTOR_GPU) return TrialResult::not_on_device;
        if (read(picture->view()) != after) return TrialResult::wrong_bits;
        picture->reopen();
    }
    entry.family = trial.family;
    entry.size = trial.size;
    entry.timing = {median_us(simd_ns), median_us(offload_ns), median_us(device_ns)};
    return TrialResult::measured;
}

} // namespace v3doff
