// SPDX-License-Identifier: BSD-2-Clause
// What a submit costs and how fast each family is. Nothing is reported whose bits were not
// compared.
#include "bench/command.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fnmatch.h>

#include "bench/bench.hpp"

namespace tool {
namespace {

using bench::Json;

struct Options {
    DeviceChoice device;
    unsigned repeats = 200;
    std::string filter = "*";
    bool json = false, list = false;
};

bench::Families matching_families(const std::string &filter) {
    bench::Families families;
    bench::add_submit(families);
    bench::add_vp9_itx(families);
    bench::add_vp9_loopfilter(families);
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
    if (!options.json) fmt::print("v3doff bench on {}\n", properties.name);
    const bench::Session session{device.get(), cpu.get(), options.repeats};
    for (const auto &family : families) {
        Json items = Json::array();
        family.run(session, items);
        for (Json &item : items) {
            if (!options.json) print(item);
            result["results"].push_back(std::move(item));
        }
    }
    if (options.json) fmt::print("{}\n", result.dump(2));
    return 0;
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
    command->callback([options, &status] { status = run(*options); });
}

} // namespace tool
