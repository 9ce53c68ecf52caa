// SPDX-License-Identifier: BSD-2-Clause
// What a submit costs and how fast a batch runs. Nothing is reported whose bits were not compared.
#include "bench.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <random>

#include "session.hpp"

namespace tool {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct BenchOptions {
    DeviceChoice device;
    unsigned repeats = 200;
    bool json = false;
};

struct Spread {
    double least, median, most;
};

Spread spread_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return {values.front(), values[values.size() / 2], values.back()};
}

Json to_json(const Spread &spread) {
    return {{"min", spread.least}, {"median", spread.median}, {"max", spread.most}};
}

// Samples and one 8x8 block at every place, the same for every call.
void record_full_picture(v3doff_picture *picture) {
    v3doff_planes planes = planes_of(picture);
    std::mt19937 random(7);
    for (uint32_t p = 0; p < planes.count; p++) {
        auto *data = static_cast<uint8_t *>(planes.data[p]);
        for (uint32_t y = 0; y < planes.height[p]; y++)
            for (uint32_t x = 0; x < planes.width[p]; x++)
                data[y * planes.stride[p] + x] = uint8_t(random());
        for (uint32_t y = 0; y < planes.height[p]; y += 8)
            for (uint32_t x = 0; x < planes.width[p]; x += 8) {
                int16_t coefficients[64];
                for (auto &value : coefficients)
                    value = int16_t(random() % 201) - 100;
                check(v3doff_vp9_record_itx(picture, 0, p, x, y, V3DOFF_VP9_TX_8X8,
                                            V3DOFF_VP9_DCT_DCT, 64, coefficients),
                      "recording a block");
            }
    }
}

std::vector<uint8_t> samples_of(v3doff_picture *picture) {
    v3doff_planes planes = planes_of(picture);
    std::vector<uint8_t> all;
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.height[p]; y++) {
            auto *row = static_cast<uint8_t *>(planes.data[p]) + y * planes.stride[p];
            all.insert(all.end(), row, row + planes.width[p]);
        }
    return all;
}

Json bench_empty(v3doff_device *device, const BenchOptions &options) {
    Pool pool = make_pool(device, 1920, 1080);
    Picture picture = open_picture(pool.get());
    std::vector<double> submit_us, whole_us;
    for (unsigned i = 0; i < options.repeats + 20; i++) {
        if (i) check(v3doff_picture_reopen(picture.get()), "reopen");
        auto start = Clock::now();
        v3doff_picture_report report = run_picture(picture.get(), V3DOFF_EXECUTOR_GPU);
        if (i < 20) continue; // warm-up
        submit_us.push_back(double(report.submit_ns) / 1000);
        whole_us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    return {{"name", "empty picture, 1920x1080"},
            {"repeats", options.repeats},
            {"submit_us", to_json(spread_of(submit_us))},
            {"submit_to_done_us", to_json(spread_of(whole_us))}};
}

Json bench_batch(v3doff_device *device, v3doff_device *cpu, const BenchOptions &options) {
    Pool pool = make_pool(device, 1920, 1080), cpu_pool = make_pool(cpu, 1920, 1080);
    Picture expected = open_picture(cpu_pool.get()), picture = open_picture(pool.get());
    record_full_picture(expected.get());
    auto cpu_start = Clock::now();
    run_picture(expected.get(), V3DOFF_EXECUTOR_CPU);
    double cpu_ms = std::chrono::duration<double, std::milli>(Clock::now() - cpu_start).count();
    const std::vector<uint8_t> bits = samples_of(expected.get());

    std::vector<double> gpu_us, submit_us;
    v3doff_picture_report report{};
    const unsigned repeats = std::max(5u, options.repeats / 10);
    for (unsigned i = 0; i < repeats + 2; i++) {
        if (i) check(v3doff_picture_reopen(picture.get()), "reopen");
        record_full_picture(picture.get());
        report = run_picture(picture.get(), V3DOFF_EXECUTOR_GPU);
        if (samples_of(picture.get()) != bits)
            throw std::runtime_error("the batch's bits are wrong: not timed");
        if (i < 2) continue; // warm-up
        gpu_us.push_back(double(report.gpu_ns) / 1000);
        submit_us.push_back(double(report.submit_ns) / 1000);
    }
    Spread gpu = spread_of(gpu_us);
    return {{"name", "VP9 8x8 DCT + add, 8 bit, every block of 1920x1080 4:2:0"},
            {"repeats", repeats},
            {"bits_equal", true},
            {"blocks", report.records},
            {"dispatches", report.dispatches},
            {"gpu_us", to_json(gpu)},
            {"submit_us", to_json(spread_of(submit_us))},
            {"blocks_per_second", gpu.median > 0 ? double(report.records) * 1e6 / gpu.median : 0},
            {"plain_cpu_ms", cpu_ms}};
}

void print(const Json &result) {
    fmt::print("{} on {}\n", "v3doff bench", result["device"].get<std::string>());
    for (const Json &item : result["results"]) {
        fmt::print("\n{}\n", item["name"].get<std::string>());
        for (const auto &[key, value] : item.items()) {
            if (key == "name") continue;
            if (value.is_object())
                fmt::print("  {:<20} median {:.1f}  ({:.1f} to {:.1f})\n", key,
                           value["median"].get<double>(), value["min"].get<double>(),
                           value["max"].get<double>());
            else
                fmt::print("  {:<20} {}\n", key, value.dump());
        }
    }
}

void run(BenchOptions options) {
    options.device.timers = true;
    Device device = open_device(options.device);
    DeviceChoice without;
    without.mode = V3DOFF_MODE_CPU;
    Device cpu = open_device(without);
    v3doff_device_properties properties = properties_of(device.get());
    Json result{{"device", properties.name},
                {"driver", properties.driver},
                {"memory_path", memory_name(properties.memory)},
                {"results", Json::array()}};
    result["results"].push_back(bench_empty(device.get(), options));
    result["results"].push_back(bench_batch(device.get(), cpu.get(), options));
    if (options.json)
        fmt::print("{}\n", result.dump(2));
    else
        print(result);
}

} // namespace

void add_bench(CLI::App &app, int &) {
    auto *command =
        app.add_subcommand("bench", "cost of a submit, speed of a batch, bits compared");
    auto options = std::make_shared<BenchOptions>();
    command->add_option("--device", options->device.select, "index, part of a name, or UUID");
    command->add_option("--repeats", options->repeats, "timed submits")
        ->check(CLI::Range(5, 100000));
    command->add_flag("--json", options->json, "machine-readable");
    command->callback([options] { run(*options); });
}

} // namespace tool
