// SPDX-License-Identifier: BSD-2-Clause
// Made-up whole pictures on the device: what they cost there, and whether their bits are right.
#include "commands.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "names.hpp"

namespace tool {
namespace {

using bench::Json;

struct TuneOptions {
    DeviceChoice device;
    std::string size, codec; // empty: all
    bool json = false;
};

std::vector<uint32_t> heights_of(const TuneOptions &options, v3doff_device *device) {
    if (!options.size.empty()) return {uint32_t(std::stoul(options.size))};
    // Vulkan on the CPU takes most of a second for a large picture.
    if (properties_of(device).kind == V3DOFF_DEVICE_KIND_SOFTWARE) return {360, 720};
    return {360, 720, 1080, 2160};
}

bench::Families families_of(const TuneOptions &options) {
    bench::Families families;
    if (options.codec != "h264") bench::add_vp9_whole(families);
    if (options.codec != "vp9") bench::add_h264_whole(families);
    return families;
}

void print(const Json &item) {
    const auto median = [&](const char *key) { return item[key]["median"].get<double>(); };
    fmt::print("{:<52}{:>8.0f}{:>11.0f}\n", item["name"].get<std::string>(),
               median("record_us") + median("submit_us"), median("gpu_us"));
}

int run(TuneOptions options) {
    options.device.timers = true;
    const Device device = open_device(options.device);
    const Device cpu = open_cpu();
    Json result{{"device", properties_of(device.get()).name}, {"results", Json::array()}};
    if (!options.json)
        fmt::print("{}\n\n{:<52}{:>8}{:>11}\n", result["device"].get<std::string>(), "picture",
                   "CPU us", "device us");
    for (uint32_t height : heights_of(options, device.get()))
        for (const bench::Family &family : families_of(options)) {
            const bench::Session session{device.get(), cpu.get(), 100, options.device, {height}};
            Json items = Json::array();
            try {
                family.run(session, items);
            } catch (const std::exception &problem) {
                fmt::print(stderr, "v3doff: {}: {}\n", family.name, problem.what());
                result["failed"].push_back({{"family", family.name}, {"why", problem.what()}});
            }
            for (Json &item : items) {
                item["family"] = family.name;
                if (!options.json) print(item);
                result["results"].push_back(std::move(item));
            }
        }
    if (options.json)
        fmt::print("{}\n", result.dump(2));
    else if (!result.contains("failed"))
        fmt::print("\nCPU us: to record and submit a picture; device us: what the device takes for "
                   "it.\nThe bits of each picture above are those of the CPU. These figures decide "
                   "nothing: the\nlibrary decides by the pictures of real streams, and v3doff "
                   "recipe shows what it knows.\n");
    return result.contains("failed") ? 1 : 0;
}

} // namespace

void add_tune(CLI::App &app, int &status) {
    auto *command = app.add_subcommand(
        "tune", "make whole pictures on the device, compare their bits, and show what they cost");
    auto options = std::make_shared<TuneOptions>();
    add_device_option(command, options->device);
    command->add_option("--size", options->size, "only pictures of 360p, 720p, 1080p or 2160p")
        ->check(one_of({"360p", "720p", "1080p", "2160p"}));
    command->add_option("--codec", options->codec, "only pictures of vp9 or h264")
        ->check(one_of({"vp9", "h264"}));
    command->add_flag("--json", options->json, "print JSON");
    command->callback([options, &status] { status = run(*options); });
}

} // namespace tool
