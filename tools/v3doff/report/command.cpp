// SPDX-License-Identifier: BSD-2-Clause
// A report for the project about a machine that is new to it: one JSON, or the same as text.
#include "commands.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "report/report.hpp"

namespace tool {
namespace {

using report::Clock;
using report::Json;

struct ReportOptions {
    DeviceChoice device;
    unsigned seconds = 30;
    bool json = false;
};

// A section that fails contains the reason; the other sections are useful without it.
template <typename Make>
void add_section(Json &to, const char *name, Clock::time_point until, Make make) {
    if (Clock::now() >= until) {
        to[name] = {{"problem", "not measured: the time was up (--seconds)"}};
        return;
    }
    try {
        to[name] = make();
    } catch (const std::exception &problem) {
        to[name] = {{"problem", problem.what()}};
    }
}

// Two 1080p pictures of each family, as far as time allows.
Json short_bench(const ReportOptions &options, v3doff_device *device, Clock::time_point until) {
    Device cpu = open_cpu();
    bench::Session session{device, cpu.get(), 5, options.device};
    session.until = until;
    bench::Families families;
    bench::add_submit(families);
    bench::add_vp9_filter(families);
    bench::add_h264_filter(families);
    bench::add_vp9_residual(families);
    bench::add_h264_residual(families);
    std::erase_if(families, [](const auto &family) { // 1080p is enough
        return family.name.ends_with("2160p");
    });
    Json all;
    for (size_t i = 0; i < families.size(); i++) {
        // Each gets an equal share of the remaining time.
        const auto now = Clock::now();
        session.until = now + (until - now) / int(families.size() - i);
        Json &entry = all[families[i].name];
        entry["results"] = Json::array();
        try {
            if (now < until) families[i].run(session, entry["results"]);
        } catch (const std::exception &problem) {
            entry["problem"] = problem.what();
        }
    }
    return all;
}

void print(const Json &json, unsigned depth) {
    for (const auto &[key, value] : json.items()) {
        const std::string indent(2 * depth, ' ');
        const bool numbered = json.is_array();
        if (value.is_object() && value.contains("median") && value.contains("max"))
            fmt::print("{}{}: {:.1f} ({:.1f} to {:.1f})\n", indent, key,
                       value["median"].get<double>(), value["min"].get<double>(),
                       value["max"].get<double>());
        else if (value.is_structured()) {
            fmt::print("{}{}\n", indent, numbered ? "-" : key + ":");
            print(value, depth + 1);
        } else if (value.is_number_float())
            fmt::print("{}{}: {:.2f}\n", indent, key, value.get<double>());
        else
            fmt::print("{}{}: {}\n", indent, key,
                       value.is_string() ? value.get<std::string>() : value.dump());
    }
}

Json make(const ReportOptions &options) {
    const auto start = Clock::now();
    const auto until = start + std::chrono::seconds(options.seconds);
    Json json{{"report", 1}};
    add_section(json, "system", until, report::system_facts);
    add_section(json, "info", until, [&] { return info_json(options.device, false); });
    Device device;
    std::string problem;
    try {
        device = open_device(options.device);
    } catch (const std::exception &why) {
        problem = why.what();
    }
    auto with_device = [&](const char *name, auto section) {
        add_section(json, name, until, [&] {
            if (!device) throw std::runtime_error(problem);
            return section();
        });
    };
    with_device("recipe", [&] { return recipe_json(device.get()); });
    with_device("driver", [&] { return report::driver_facts(properties_of(device.get())); });
    with_device("memory", [&] { return report::memory_facts(options.device); });
    with_device("stored_pictures", [&] { return report::stored_pictures(device.get()); });
    with_device("bench", [&] { return short_bench(options, device.get(), until); });
    json["seconds"] = std::chrono::duration<double>(Clock::now() - start).count();
    return json;
}

} // namespace

void add_report(CLI::App &app, int &) {
    auto *command = app.add_subcommand(
        "report",
        "collect what the project needs to know about a machine, nothing about its owner");
    auto options = std::make_shared<ReportOptions>();
    add_device_option(command, options->device);
    command->add_option("--seconds", options->seconds, "start no new measurement after this time")
        ->check(CLI::Range(1, 3600));
    command->add_flag("--json", options->json, "print JSON");
    command->callback([options] {
        options->device.timers = true;
        const Json json = make(*options);
        if (options->json)
            fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
        else
            print(json, 0);
    });
}

} // namespace tool
