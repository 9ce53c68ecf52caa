// SPDX-License-Identifier: BSD-2-Clause
// What a submit costs and how fast each family is. A result is only reported if its bits were
// compared.
#include "commands.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fnmatch.h>
#include <string>
#include <thread>
#include <unistd.h>

#include "bench/bench.hpp"
#include "bench/report.hpp"

namespace tool {
namespace {

using bench::Json;

struct BenchOptions {
    DeviceChoice device;
    unsigned repeats = 200;
    std::string filter = "*";
    std::string csv, html;
    std::vector<uint32_t> heights;
    double seconds = 1;
    bool json = false, list = false, quiet = false, matrix = false;
};

bench::Families matching_families(const std::string &filter) {
    bench::Families families;
    bench::add_submit(families);
    bench::add_h264_residual(families);
    bench::add_h264_record(families);
    bench::add_h264_words(families);
    bench::add_h264_whole(families);
    bench::add_vp9_record(families);
    bench::add_vp9_residual(families);
    bench::add_vp9_filter(families);
    bench::add_h264_filter(families);
    bench::add_vp9_inter(families);
    bench::add_vp9_whole(families);
    bench::add_h264_strength(families);
    bench::add_metrics(families);
    bench::add_picture(families);
    bench::add_matrix(families);
    std::erase_if(families, [&](const bench::Family &family) {
        return fnmatch(filter.c_str(), family.name.c_str(), 0) != 0;
    });
    return families;
}

// In the colour that band names, if the terminal shows colours.
std::string coloured(const std::string &band, const std::string &text) {
    static const bool colours = isatty(STDOUT_FILENO);
    const char *code = band == "green"    ? "32"
                       : band == "yellow" ? "33"
                       : band == "red"    ? "31"
                                          : "35";
    return colours ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

void print_ratio(const Json &item, const char *key, const char *band, const char *caches) {
    const std::string word = item[band].get<std::string>();
    fmt::print("  {:<28} {}\n", fmt::format("R, {} caches", caches),
               coloured(word, fmt::format("{:.2f} {}", item[key].get<double>(), word)));
}

void print_matrix(const Json &cells) {
    fmt::print("  {:<28} {:>10} {:>10} {:>12} {:>16} {:>12}\n", "who", "pictures/s", "by the GPU",
               "CPU seconds", "CPU ms a picture", "of 30 fps");
    for (const Json &cell : cells)
        fmt::print("  {:<28} {:>10.1f} {:>10.1f} {:>12.2f} {:>16.2f} {:>11.1f}x\n",
                   cell["who"].get<std::string>(), cell["pictures_per_second"].get<double>(),
                   cell["by_gpu_per_second"].get<double>(), cell["cpu_seconds"].get<double>(),
                   cell["cpu_ms_per_picture"].get<double>(), cell["margin_over_30"].get<double>());
}

void print_spread(const std::string &name, const Json &spread) {
    fmt::print("  {:<28} median {:.1f}  ({:.1f} to {:.1f})\n", name, spread["median"].get<double>(),
               spread["min"].get<double>(), spread["max"].get<double>());
}

void print(const Json &item) {
    fmt::print("\n{}\n", item["name"].get<std::string>());
    for (const auto &[key, value] : item.items()) {
        if (key == "name" || key == "family" || key == "band" || key == "band_cold") continue;
        if (key == "passes_us")
            for (const auto &[pass, spread] : value.items())
                print_spread("  " + pass + " us", spread);
        else if (key == "matrix")
            print_matrix(value);
        else if (key == "ratio")
            print_ratio(item, "ratio", "band", "hot");
        else if (key == "ratio_cold")
            print_ratio(item, "ratio_cold", "band_cold", "cold");
        else if (value.is_object())
            print_spread(key, value);
        else if (value.is_number_float())
            fmt::print("  {:<28} {:.4g}\n", key, value.get<double>());
        else if (value.is_string())
            fmt::print("  {:<28} {}\n", key, value.get<std::string>());
        else
            fmt::print("  {:<28} {}\n", key, value.dump());
    }
    std::fflush(stdout);
}

// What was measured where, before any family.
Json heading(v3doff_device *device) {
    const v3doff_device_properties properties = properties_of(device);
    return {{"device", properties.name},
            {"driver", properties.driver},
            {"library", library_version()},
            {"memory_path", memory_name(properties.memory)},
            {"cores", std::thread::hardware_concurrency()},
            {"ffmpeg", ffdsp_version()
                           ? fmt::format("{} ({})", ffdsp_version(), ffdsp_cpu_flag_names())
                           : "not built in"},
            {"results", Json::array()}};
}

std::vector<uint32_t> heights_of(const BenchOptions &options, v3doff_device *device) {
    if (!options.heights.empty()) return options.heights;
    // Vulkan on the CPU takes most of a second for a large picture.
    if (properties_of(device).kind == V3DOFF_DEVICE_KIND_SOFTWARE) return {360, 720};
    return {360, 720, 1080, 2160};
}

// Appends to the results, or to the failures. The other families still run; the exit status says
// that one failed.
void run_family(const bench::Family &family, const bench::Session &session, bool text,
                bool progress, Json &result) {
    Json items = Json::array();
    try {
        family.run(session, items);
    } catch (const std::exception &problem) {
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

int list_families(const bench::Families &families) {
    for (const auto &family : families)
        fmt::print("{:<20} {}\n", family.name, family.summary);
    return 0;
}

int run(BenchOptions options) {
    if (options.matrix) options.filter = "matrix";
    const bench::Families families = matching_families(options.filter);
    if (families.empty()) {
        fmt::print(stderr, "v3doff: no family matches '{}'; --list shows them\n", options.filter);
        return 2;
    }
    if (options.list) return list_families(families);
    const bool text = !options.json && options.csv != "-";
    options.device.timers = true;
    Device device = open_device(options.device);
    Device cpu = open_cpu();
    Json result = heading(device.get());
    if (text)
        fmt::print("v3doff bench on {}; FFmpeg's functions: {}\n",
                   result["device"].get<std::string>(), result["ffmpeg"].get<std::string>());
    const bench::Session session{device.get(),
                                 cpu.get(),
                                 options.repeats,
                                 options.device,
                                 heights_of(options, device.get()),
                                 options.seconds};
    const bool progress = isatty(STDERR_FILENO) && !options.quiet;
    for (size_t i = 0; i < families.size(); i++) {
        if (progress)
            fmt::print(stderr, "\r\033[K[{}/{}] {}", i + 1, families.size(), families[i].name);
        run_family(families[i], session, text, progress, result);
    }
    if (options.json) fmt::print("{}\n", result.dump(2));
    if (!options.csv.empty()) bench::write_file(options.csv, bench::to_csv(result));
    if (!options.html.empty()) bench::write_file(options.html, bench::to_html(result));
    return result.contains("failed") ? 1 : 0;
}

} // namespace

void add_bench(CLI::App &app, int &status) {
    auto *command = app.add_subcommand("bench", "time a submit and each family of kernels, "
                                                "and compare their bits");
    auto options = std::make_shared<BenchOptions>();
    add_device_option(command, options->device);
    command->add_option("--filter", options->filter, "run these families; * and ? are wildcards");
    command->add_flag("--list", options->list, "list the families and run nothing");
    command->add_option("--repeats", options->repeats, "time this many submits")
        ->check(CLI::Range(5, 100000));
    command->add_flag("--matrix", options->matrix,
                      "only time cores and GPU that work side by side");
    command
        ->add_option("--heights", options->heights,
                     "picture heights, separated by commas (families picture, vp9_whole, "
                     "h264_whole, matrix)")
        ->delimiter(',')
        ->check(CLI::Range(64, 4320));
    command->add_option("--seconds", options->seconds, "time of each cell of the matrix")
        ->check(CLI::Range(0.05, 60.));
    command->add_flag("--json", options->json, "print JSON");
    command->add_option("--csv", options->csv, "write a table to this file; - is standard output");
    command->add_option("--html", options->html, "write a page with charts to this file");
    command->add_flag("--quiet", options->quiet, "show no progress on the terminal");
    command->callback([options, &status] { status = run(*options); });
}

} // namespace tool
