// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <map>
#include <random>

#include "bench/bench.hpp"

namespace tool::bench {
namespace {

constexpr unsigned warm_up = 2;

// Visits the rows of every plane with their padding.
template <typename Visit>
void each_row(v3doff_picture *picture, Visit visit) {
    v3doff_planes planes = planes_of(picture);
    // In 8-bit rows also the bytes after the padding, which belong to the picture too.
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.padded_height[p]; y++)
            visit(static_cast<uint8_t *>(planes.data[p]) + y * planes.stride[p],
                  std::min<size_t>(size_t(planes.stride[p]), planes.padded_width[p] * size_t(2)));
}

} // namespace

std::vector<uint8_t> samples_of(v3doff_picture *picture, uint32_t sample_bytes) {
    v3doff_planes planes = planes_of(picture);
    std::vector<uint8_t> all;
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.height[p]; y++) {
            auto *row = static_cast<uint8_t *>(planes.data[p]) + y * planes.stride[p];
            all.insert(all.end(), row, row + planes.width[p] * sample_bytes);
        }
    return all;
}

Kept::Kept(v3doff_picture *picture) {
    each_row(picture,
             [this](uint8_t *row, size_t bytes) { bytes_.insert(bytes_.end(), row, row + bytes); });
}

void Kept::put_back(v3doff_picture *picture) const {
    const uint8_t *from = bytes_.data();
    each_row(picture, [&from](uint8_t *row, size_t bytes) {
        std::memcpy(row, from, bytes);
        from += bytes;
    });
}

namespace {

// The passes of one kind, added up, for each timed picture.
using Passes = std::vector<std::pair<std::string, std::vector<double>>>;

void add_passes(v3doff_picture *picture, uint32_t count, unsigned sample, Passes &passes) {
    for (uint32_t i = 0; i < count; i++) {
        const char *name = nullptr;
        uint64_t ns = 0;
        check(v3doff_picture_get_timer(picture, i, &name, &ns), "a pass's time");
        auto at = std::find_if(passes.begin(), passes.end(),
                               [&](const auto &pass) { return pass.first == name; });
        if (at == passes.end()) at = passes.insert(at, {name, {}});
        at->second.resize(sample + 1);
        at->second[sample] += double(ns) / 1000;
    }
}

} // namespace

double thread_ns() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
}

Json spread(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return {{"min", values.front()}, {"median", values[values.size() / 2]}, {"max", values.back()}};
}

void fill_samples(v3doff_picture *picture, uint32_t bit_depth, uint32_t least, uint32_t range) {
    v3doff_planes planes = planes_of(picture);
    std::mt19937 random(9);
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.padded_height[p]; y++) {
            auto *row = static_cast<uint8_t *>(planes.data[p]) + y * planes.stride[p];
            for (uint32_t x = 0; x < planes.padded_width[p]; x++) {
                const uint16_t sample = uint16_t(least + random() % range);
                if (bit_depth > 8)
                    std::memcpy(row + 2 * x, &sample, 2);
                else
                    row[x] = uint8_t(sample);
            }
        }
}

namespace {

struct Timed {
    std::vector<double> gpu_us, submit_us, record_us;
    Passes passes;
    v3doff_picture_report report{};
};

Timed time_gpu(const Work &work, v3doff_picture *picture, const std::vector<uint8_t> &bits,
               unsigned repeats) {
    using Clock = std::chrono::steady_clock;
    Timed timed;
    work.fill(picture);
    const Kept kept(picture);
    for (unsigned i = 0; i < repeats + warm_up; i++) {
        if (i) check(v3doff_picture_reopen(picture), "reopen");
        if (i) kept.put_back(picture);
        const auto start = Clock::now();
        work.record(picture);
        const std::chrono::duration<double, std::micro> record = Clock::now() - start;
        timed.report = run_picture(picture, V3DOFF_EXECUTOR_GPU);
        if (samples_of(picture, work.bit_depth > 8 ? 2 : 1) != bits)
            throw std::runtime_error(work.name + ": the bits are wrong, nothing is reported");
        if (i < warm_up) continue;
        timed.gpu_us.push_back(double(timed.report.gpu_ns) / 1000);
        timed.submit_us.push_back(double(timed.report.submit_ns) / 1000);
        timed.record_us.push_back(record.count());
        add_passes(picture, timed.report.timers, i - warm_up, timed.passes);
    }
    return timed;
}

// The least data that has to move: every sample read and written once, every record read. Also the
// rate of the copies of the picture that the submit itself makes.
void add_bytes(const Work &work, v3doff_picture *picture, Json &result) {
    const v3doff_planes planes = planes_of(picture);
    double bytes = 0, kernels_us = 0;
    for (uint32_t p = 0; p < planes.count; p++)
        bytes += double(planes.width[p]) * planes.height[p] * (work.bit_depth > 8 ? 2 : 1);
    for (const auto &[name, us] : result["passes_us"].items()) {
        const double median = us["median"].get<double>();
        // These passes only read and write each sample once.
        const bool plain_copy = name == "backup" || name == "copy_out";
        if (plain_copy && median > 0) result["copy_gb_s"] = 2 * bytes / median / 1000;
        if (!plain_copy && name != "copy_in") kernels_us += median;
    }
    const double moved = 2 * bytes + double(work.record_bytes);
    result["least_bytes"] = uint64_t(moved);
    if (kernels_us <= 0) return;
    result["kernels_us"] = kernels_us;
    result["moved_gb_s"] = moved / kernels_us / 1000;
    if (result.contains("copy_gb_s"))
        result["of_copy_rate"] =
            result["moved_gb_s"].get<double>() / result["copy_gb_s"].get<double>();
}

} // namespace

Json measure(const Session &session, const Work &work, unsigned share) {
    if (std::chrono::steady_clock::now() >= session.until)
        throw std::runtime_error(work.name + " and the rest were not measured: no time was left");
    Pool pool = make_pool(session.device, work.width, work.height, work.bit_depth, work.chroma);
    Pool cpu_pool = make_pool(session.cpu, work.width, work.height, work.bit_depth, work.chroma);
    Picture expected = open_picture(cpu_pool.get()), picture = open_picture(pool.get());
    if (work.prepare) work.prepare(session.cpu);
    work.fill(expected.get());
    work.record(expected.get());
    const auto cpu_start = std::chrono::steady_clock::now();
    run_picture(expected.get(), V3DOFF_EXECUTOR_CPU);
    const std::chrono::duration<double, std::milli> plain_cpu =
        std::chrono::steady_clock::now() - cpu_start;
    const std::vector<uint8_t> bits = samples_of(expected.get(), work.bit_depth > 8 ? 2 : 1);

    if (work.prepare) work.prepare(session.device);
    const unsigned repeats = std::max(5u, session.repeats / share);
    Timed timed = time_gpu(work, picture.get(), bits, repeats);
    Json result{{"name", work.name},
                {"width", work.width},
                {"height", work.height},
                {"bit_depth", work.bit_depth},
                {"repeats", repeats},
                {"bits_equal", true},
                {"records", timed.report.records},
                {"cpu_records", timed.report.cpu_records},
                {"dispatches", timed.report.dispatches},
                {"gpu_us", spread(timed.gpu_us)},
                {"submit_us", spread(timed.submit_us)},
                {"record_us", spread(timed.record_us)},
                {"plain_cpu_ms", plain_cpu.count()}};
    result["passes_us"] = Json::object();
    for (auto &[name, us] : timed.passes) {
        us.resize(repeats);
        result["passes_us"][name] = spread(us);
    }
    add_bytes(work, picture.get(), result);
    measure_ffmpeg(session, work, bits, repeats, result);
    return result;
}

} // namespace tool::bench
