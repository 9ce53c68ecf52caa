// SPDX-License-Identifier: BSD-2-Clause
// What a submit costs and how fast each family is. Nothing is reported whose bits were not
// compared.
#include "bench/command.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include "bench/bench.hpp"
#include "bench/report.hpp"

namespace tool {
namespace {

using bench::Json;

struct Options {
    DeviceChoice device;
    unsigned repeats = 200;
    std::string filter = "*";
    std::string csv, html;
    bool json = false, list = false, quiet = false;
};

bench::Families matching_families(const std::string &filter) {
    bench::Families families;
    bench::add_submit(families);
    bench::add_h264_idct(families);
    bench::add_h264_record(families);
    bench::add_vp9_itx(families);
    bench::add_vp9_loopfilter(families);
    bench::add_h264_deblock(families);
    bench::add_vp9_mc(families);
    bench::add_h264_strength(families);
    bench::add_metrics(families);
    std::erase_if(families, [&](const bench::Family &family) {
        return fnmatch(filter.c_str(), family.name.c_str(), 0) != 0;
    });
    return families;
}

void print_spread(const std::string &name, const Json &spread) {
    fmt::print("  {:<28} median {:.1f}  ({:.1f} to {:.1f})\n", name, spread["median"].get<double>(),
               spread["min"].get<double>(), spread["max"].get<double>());
}

void print(const Json &item) {
    fmt::print("\n{}\n", item["name"].get<std::string>());
    for (const auto &[key, value] : item.items()) {
        if (key == "name") continue;
        if (key == "passes_us")
            for (const auto &[pass, spread] : value.items())
                print_spread("  " + pass + " us", spread);
        else if (value.is_object())
            print_spread(key, value);
        else
            fmt::print("  {:<28} {}\n", key, value.dump());
    }
    std::fflush(stdout);
}

int run(Options options) {
    const bench::Families families = matching_families(options.filter);
    if (families.empty()) {
        fmt::print(stderr, "v3doff: no family matches '{}'; --list shows them\n", options.filter);
        return 2;
    }
    if (options.list) {
        for (const auto &family : families)
            fmt::print("{:<20} {}\n", family.name, family.summary);
        return 0;
    }
    const bool text = !options.json && options.csv != "-";
    options.device.timers = true;
    Device device = open_device(options.device);
    DeviceChoice without;
    without.mode = V3DOFF_MODE_CPU;
    Device cpu = open_device(without);
    v3doff_device_properties properties = properties_of(device.get());
    Json result{{"device", properties.name},
                {"driver", properties.driver},
                {"library", fmt::format("{}.{}.{}", v3doff_version() >> 16,
                                        v3doff_version() >> 8 & 0xff, v3doff_version() & 0xff)},
                {"memory_path", memory_name(properties.memory)},
                {"results", Json::array()}};
    if (text) fmt::print("v3doff bench on {}\n", properties.name);
    const bench::Session session{device.get(), cpu.get(), options.repeats, options.device};
    const bool progress = isatty(STDERR_FILENO) && !options.quiet;
    for (size_t i = 0; i < families.size(); i++) {
        const bench::Family &family = families[i];
        if (progress) fmt::print(stderr, "\r\033[K[{}/{}] {}", i + 1, families.size(), family.name);
        Json items = Json::array();
        try {
            family.run(session, items);
        } catch (const std::exception &problem) {
            // The other families can still be right; the exit status says that not all are.
            if (progress) fmt::print(stderr, "\r\033[K");
            fmt::print(stderr, "v3doff: {}: {}\n", family.name, problem.what());
            result["failed"].push_back({{"family", family.name}, {"why", problem.what()}});
        }
        if (progress) fmt::print(stderr, "\r\033[K");
        for (Json &item : items) {
            item["family"] = family.name;
            if (text) print(item);
            result["results"].push_back(std::move(item));
        }
    }
    if (options.json) fmt::print("{}\n", result.dump(2));
    if (!options.csv.empty()) bench::write_file(options.csv, bench::to_csv(result));
    if (!options.html.empty()) bench::write_file(options.html, bench::to_html(result));
    return result.contains("failed") ? 1 : 0;
}

} // namespace

void add_bench(CLI::App &app, int &status) {
    auto *command =
        app.add_subcommand("bench", "cost of a submit, speed of each family of kernels, "
                                    "bits compared");
    auto options = std::make_shared<Options>();
    command->add_option("--device", options->device.select, "index, part of a name, or UUID");
    command->add_option("--filter", options->filter, "families to run, a shell pattern");
    command->add_flag("--list", options->list, "the families, and nothing else");
    command->add_option("--repeats", options->repeats, "timed submits")
        ->check(CLI::Range(5, 100000));
    command->add_flag("--json", options->json, "machine-readable");
    command->add_option("--csv", options->csv, "write a table to a file, - for standard output");
    command->add_option("--html", options->html, "write a page with charts to a file");
    command->add_flag("--quiet", options->quiet, "no progress on the terminal");
    command->callback([options, &status] { status = run(*options); });
}

} // namespace tool
