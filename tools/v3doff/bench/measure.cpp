// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <random>

#include "bench/bench.hpp"

namespace tool::bench {
namespace {

constexpr unsigned warm_up = 2;

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

Json measure(const Session &session, const Work &work, unsigned share) {
    Pool pool = make_pool(session.device, work.width, work.height, work.bit_depth, work.chroma);
    Pool cpu_pool = make_pool(session.cpu, work.width, work.height, work.bit_depth, work.chroma);
    Picture expected = open_picture(cpu_pool.get()), picture = open_picture(pool.get());
    const uint32_t sample_bytes = work.bit_depth > 8 ? 2 : 1;
    if (work.prepare) work.prepare(session.cpu);
    work.record(expected.get());
    const auto cpu_start = std::chrono::steady_clock::now();
    run_picture(expected.get(), V3DOFF_EXECUTOR_CPU);
    const std::chrono::duration<double, std::milli> plain_cpu =
        std::chrono::steady_clock::now() - cpu_start;
    const std::vector<uint8_t> bits = samples_of(expected.get(), sample_bytes);

    if (work.prepare) work.prepare(session.device);
    std::vector<double> gpu_us, submit_us;
    Passes passes;
    v3doff_picture_report report{};
    const unsigned repeats = std::max(5u, session.repeats / share);
    for (unsigned i = 0; i < repeats + warm_up; i++) {
        if (i) check(v3doff_picture_reopen(picture.get()), "reopen");
        work.record(picture.get());
        report = run_picture(picture.get(), V3DOFF_EXECUTOR_GPU);
        if (samples_of(picture.get(), sample_bytes) != bits)
            throw std::runtime_error(work.name + ": the bits are wrong, nothing is reported");
        if (i < warm_up) continue;
        gpu_us.push_back(double(report.gpu_ns) / 1000);
        submit_us.push_back(double(report.submit_ns) / 1000);
        add_passes(picture.get(), report.timers, i - warm_up, passes);
    }
    Json result{{"name", work.name},
                {"width", work.width},
                {"height", work.height},
                {"bit_depth", work.bit_depth},
                {"repeats", repeats},
                {"bits_equal", true},
                {"records", report.records},
                {"cpu_records", report.cpu_records},
                {"dispatches", report.dispatches},
                {"gpu_us", spread(gpu_us)},
                {"submit_us", spread(submit_us)},
                {"plain_cpu_ms", plain_cpu.count()}};
    for (auto &[name, us] : passes) {
        us.resize(repeats);
        result["passes_us"][name] = spread(us);
    }
    return result;
}

} // namespace tool::bench
