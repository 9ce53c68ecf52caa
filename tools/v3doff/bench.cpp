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

// Every 8x8 block with filters of 8 samples at its edges and 4 inside: more than any stream has.
std::vector<v3doff_vp9_superblock> all_edges(uint32_t width, uint32_t height) {
    const uint32_t cols = (width + 63) / 64, rows = (height + 63) / 64;
    std::vector<v3doff_vp9_superblock> superblocks(size_t(cols) * rows);
    for (uint32_t i = 0; i < superblocks.size(); i++) {
        v3doff_vp9_superblock &superblock = superblocks[i];
        std::memset(superblock.level, 32, sizeof superblock.level);
        uint32_t blocks_x = std::min(8u, (width + 7) / 8 - i % cols * 8);
        uint32_t blocks_y = std::min(8u, (height + 7) / 8 - i / cols * 8);
        const uint8_t bits = uint8_t((1u << blocks_x) - 1);
        for (uint32_t y = 0; y < blocks_y; y++)
            for (auto &direction : superblock.mask[0])
                direction[y][1] = direction[y][3] = bits;
        for (uint32_t y = 0; y < blocks_y; y += 2)
            for (auto &direction : superblock.mask[1])
                direction[y][1] = bits & 0x55;
    }
    return superblocks;
}

void record_filter(v3doff_picture *picture, uint32_t width, uint32_t height) {
    v3doff_planes planes = planes_of(picture);
    std::mt19937 random(9);
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.padded_height[p]; y++)
            for (uint32_t x = 0; x < planes.padded_width[p]; x++)
                static_cast<uint8_t *>(planes.data[p])[y * planes.stride[p] + x] =
                    uint8_t(100 + random() % 16);
    auto superblocks = all_edges(width, height);
    check(v3doff_vp9_record_loopfilter(picture, 0, superblocks.data(), superblocks.size()),
          "recording the loop filter");
}

Json bench_filter(v3doff_device *device, v3doff_device *cpu, uint32_t width, uint32_t height,
                  const BenchOptions &options) {
    Pool pool = make_pool(device, width, height), cpu_pool = make_pool(cpu, width, height);
    Picture expected = open_picture(cpu_pool.get()), picture = open_picture(pool.get());
    record_filter(expected.get(), width, height);
    run_picture(expected.get(), V3DOFF_EXECUTOR_CPU);
    const std::vector<uint8_t> bits = samples_of(expected.get());
    std::vector<double> gpu_us, submit_us;
    v3doff_picture_report report{};
    const unsigned repeats = std::max(5u, options.repeats / 20);
    for (unsigned i = 0; i < repeats + 2; i++) {
        if (i) check(v3doff_picture_reopen(picture.get()), "reopen");
        record_filter(picture.get(), width, height);
        report = run_picture(picture.get(), V3DOFF_EXECUTOR_GPU);
        if (samples_of(picture.get()) != bits)
            throw std::runtime_error("the loop filter's bits are wrong: not timed");
        if (i < 2) continue; // warm-up
        gpu_us.push_back(double(report.gpu_ns) / 1000);
        submit_us.push_back(double(report.submit_ns) / 1000);
    }
    return {
        {"name", fmt::format("VP9 loop filter, 8 bit 4:2:0, every edge of {}x{}", width, height)},
        {"repeats", repeats},
        {"bits_equal", true},
        {"dispatches", report.dispatches},
        {"gpu_us", to_json(spread_of(gpu_us))},
        {"submit_us", to_json(spread_of(submit_us))}};
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
    result["results"].push_back(bench_filter(device.get(), cpu.get(), 1920, 1080, options));
    result["results"].push_back(bench_filter(device.get(), cpu.get(), 3840, 2160, options));
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
