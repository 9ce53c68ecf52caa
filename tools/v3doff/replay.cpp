// SPDX-License-Identifier: BSD-2-Clause
// Repeats dumped pictures on the CPU and on a device, compares the results with those of the dump,
// and times them.
#include "commands.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dump_planes.hpp"
#include "names.hpp"
#include "session.hpp"

namespace tool {
namespace {

using Json = nlohmann::ordered_json;

struct ReplayOptions {
    std::vector<std::string> files;
    DeviceChoice device;
    std::string implementation = "all";
    unsigned repeats = 1;
    bool json = false, plan = false;
};

struct Done {
    bool equal = false;
    std::string difference; // the first one
    double gpu_us = 0, submit_us = 0;
    v3doff_picture_report report{};
    Json plan;
};

// The passes of the picture's records in their order, and what each shader has to do in all of
// them.
Json plan_of(v3doff_picture *picture) {
    check(v3doff_picture_prepare(picture), "the plan");
    Json passes = Json::array(), kinds = Json::object();
    v3doff_pass pass{};
    pass.struct_size = sizeof pass;
    while (v3doff_picture_get_pass(picture, uint32_t(passes.size()), &pass) == V3DOFF_OK) {
        passes.push_back({{"shader", pass.shader},
                          {"groups", pass.groups},
                          {"dispatches", pass.dispatches},
                          {"waits", pass.waits != 0}});
        Json &kind = kinds[pass.shader];
        const auto add = [&](const char *name, uint64_t count) {
            kind[name] = count + (kind.contains(name) ? kind[name].get<uint64_t>() : 0);
        };
        add("passes", 1);
        add("dispatches", pass.dispatches);
        add("groups", uint64_t(pass.groups[0]) * pass.groups[1] * pass.groups[2]);
    }
    return {{"passes", passes}, {"kinds", kinds}};
}

Done run_once(const DumpFile &dump, v3doff_device *device, v3doff_executor expected) {
    DumpPlanes memory(dump);
    Picture picture = memory.open(device);
    dump.record(picture.get(), device);
    Done done;
    if (expected == V3DOFF_EXECUTOR_GPU) done.plan = plan_of(picture.get());
    done.report = run_picture(picture.get(), expected);
    done.gpu_us = double(done.report.gpu_ns) / 1000;
    done.submit_us = double(done.report.submit_ns) / 1000;
    done.difference = memory.compare(std::move(picture));
    done.equal = done.difference.empty();
    return done;
}

Json run_on(const DumpFile &dump, v3doff_device *device, bool gpu, unsigned repeats) {
    std::vector<double> gpu_us, submit_us;
    Done done;
    for (unsigned i = 0; i < repeats; i++) {
        done = run_once(dump, device, gpu ? V3DOFF_EXECUTOR_GPU : V3DOFF_EXECUTOR_CPU);
        gpu_us.push_back(done.gpu_us);
        submit_us.push_back(done.submit_us);
        if (!done.equal) break;
    }
    auto median = [](std::vector<double> values) {
        std::sort(values.begin(), values.end());
        return values[values.size() / 2];
    };
    Json result{{"implementation", gpu ? "vulkan" : "ref"}, {"bits_equal", done.equal}};
    if (!done.equal) {
        result["first_difference"] = done.difference;
        return result; // wrong results are not timed
    }
    result["records"] = done.report.records;
    result["submit_us"] = median(submit_us);
    if (gpu) {
        result["cpu_records"] = done.report.cpu_records;
        result["dispatches"] = done.report.dispatches;
        result["gpu_us"] = median(gpu_us);
        result["plan"] = done.plan;
    }
    return result;
}

void print(const Json &file) {
    fmt::print("{}: {}x{}, {} bit, {}\n", file["file"].get<std::string>(), file["width"].dump(),
               file["height"].dump(), file["bit_depth"].dump(), file["work"].get<std::string>());
    for (const Json &run : file["runs"]) {
        if (!run["bits_equal"].get<bool>()) {
            fmt::print("  {:<10} DIFFERENT at {}\n", run["implementation"].get<std::string>(),
                       run["first_difference"].get<std::string>());
            continue;
        }
        fmt::print("  {:<10} equal; {} records, submit {:.1f} us",
                   run["implementation"].get<std::string>(), run["records"].dump(),
                   run["submit_us"].get<double>());
        if (run.contains("dispatches"))
            fmt::print(", {} dispatches, GPU {:.1f} us", run["dispatches"].dump(),
                       run["gpu_us"].get<double>());
        fmt::print("\n");
    }
}

// False: a run gave other samples.
bool run_file(Json &file, const DumpFile &dump, v3doff_device *cpu, v3doff_device *gpu,
              const ReplayOptions &options) {
    if (options.plan) {
        DumpPlanes memory(dump);
        const Picture picture = memory.open(gpu);
        dump.record(picture.get(), gpu);
        file["plan"] = plan_of(picture.get());
        return true;
    }
    Json runs = Json::array();
    if (cpu) runs.push_back(run_on(dump, cpu, false, options.repeats));
    if (gpu) runs.push_back(run_on(dump, gpu, true, options.repeats));
    const bool equal = std::all_of(runs.begin(), runs.end(),
                                   [](const Json &run) { return run["bits_equal"].get<bool>(); });
    file["runs"] = std::move(runs);
    if (!options.json) print(file);
    return equal;
}

int run(ReplayOptions options) {
    const bool on_cpu = options.implementation != "vulkan" && !options.plan;
    const bool on_gpu = options.implementation != "ref" || options.plan;
    Device cpu, gpu;
    if (on_cpu) {
        cpu = open_cpu();
    }
    options.device.timers = true;
    if (on_gpu) gpu = open_device(options.device);
    int status = 0;
    Json all = Json::array();
    for (const std::string &path : options.files) {
        try {
            DumpFile dump(path);
            const auto &header = dump.header();
            Json file{{"file", path},
                      {"width", header.width},
                      {"height", header.height},
                      {"bit_depth", header.bit_depth},
                      {"work", dump.kinds()}};
            if (!run_file(file, dump, cpu.get(), gpu.get(), options)) status = 1;
            all.push_back(std::move(file));
        } catch (const std::exception &problem) {
            fmt::print(stderr, "v3doff: {}: {}\n", path, problem.what());
            status = 1;
        }
    }
    if (options.json || options.plan) fmt::print("{}\n", all.dump(2));
    return status;
}

} // namespace

void add_replay(CLI::App &app, int &status) {
    auto *command = app.add_subcommand(
        "replay", "repeat dumped pictures (V3DOFF_DUMP), compare the result, and time them");
    auto options = std::make_shared<ReplayOptions>();
    command->add_option("files", options->files, "dumps to repeat")->required();
    add_device_option(command, options->device);
    command->add_option("--impl", options->implementation, "implementation: ref, vulkan or all")
        ->check(one_of({"ref", "vulkan", "all"}));
    command->add_option("--repeats", options->repeats, "repeat each dump this often")
        ->check(CLI::Range(1, 100000));
    command->add_flag("--json", options->json, "print JSON");
    command->add_flag("--plan", options->plan,
                      "execute nothing, and print the passes of each dump as JSON");
    command->callback([options, &status] { status = run(*options); });
}

} // namespace tool
