// SPDX-License-Identifier: BSD-2-Clause
#include "commands.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

#include "score/run.hpp"
#include "score/scores.hpp"

namespace tool {
namespace {

using namespace score;

constexpr int decoder_errors = 3; // an exit status

struct ScoreOptions {
    std::string reference, distorted, size, format, html;
    std::vector<std::string> features = {"psnr_hvs", "motion_v2", "vif"};
    DeviceChoice device;
    bool json = false, csv = false, cpu = false, allow_shorter = false, quiet = false;
    bool verbose = false;
};

// On a terminal only, and at most ten times a second.
class Progress {
  public:
    Progress(bool wanted, std::optional<uint64_t> total) : shown_(wanted), total_(total) {}
    ~Progress() {
        if (shown_ && any_) fmt::print(stderr, "\r{:70}\r", "");
    }

    void operator()(uint64_t done) {
        const auto now = Clock::now();
        if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
        last_ = now;
        any_ = true;
        const double rate = double(done) / std::chrono::duration<double>(now - start_).count();
        std::string text = fmt::format("{} frames, {:.1f} frames/s", done, rate);
        if (total_ && *total_ >= done) {
            const int width = 24, full = int(width * done / std::max<uint64_t>(*total_, 1));
            const auto left = uint64_t(double(*total_ - done) / rate + .5);
            text = fmt::format("[{:#<{}}{:{}}] {}/{}, {:.1f} frames/s, {}:{:02} left", "", full, "",
                               width - full, done, *total_, rate, left / 60, left % 60);
        }
        fmt::print(stderr, "\r{:<78}", text);
        std::fflush(stderr);
    }

  private:
    using Clock = std::chrono::steady_clock;
    bool shown_, any_ = false;
    std::optional<uint64_t> total_;
    Clock::time_point start_ = Clock::now(), last_ = start_;
};

Device open_scorer(const ScoreOptions &options) {
    DeviceChoice choice = options.device;
    if (options.cpu) choice.mode = V3DOFF_MODE_CPU;
    return open_device(choice);
}

void check_formats(const Video &reference, const Video &distorted) {
    if (reference.format() == distorted.format()) return;
    throw std::runtime_error(
        fmt::format("the videos have different formats: the reference has {}, the other {}",
                    reference.format().text(), distorted.format().text()));
}

std::optional<uint64_t> least(std::optional<uint64_t> a, std::optional<uint64_t> b) {
    return a && b ? std::min(*a, *b) : a ? a : b;
}

// The one value of each metric that most people look for.
void print_summary(const Report &report) {
    static constexpr std::pair<const char *, const char *> wanted[] = {
        {"psnr_hvs", "psnr_hvs"},
        {"integer_vif", "vif"},
        {"psnr_y", "psnr (luma)"},
        {"ssim", "ssim"},
        {"VMAF_integer_feature_motion3_v2_score", "motion"}};
    fmt::print("{:<12} {:>12} {:>12} {:>12} {:>12}\n", "", "mean", "least", "in frame", "most");
    for (const auto &[name, title] : wanted)
        for (const Series &series : report.series) {
            if (series.name != name) continue;
            const auto [least, most] =
                std::minmax_element(series.values.begin(), series.values.end());
            fmt::print("{:<12} {:>12.4f} {:>12.4f} {:>12} {:>12.4f}\n", title,
                       pool(series.values).mean, *least, least - series.values.begin(), *most);
        }
}

// Every value, and where the time went.
void print_details(const Report &report) {
    const double percent = 100 / std::max(report.reading + report.copying + report.waiting, 1e-9);
    fmt::print("reading {:.0f} %, copying {:.0f} %, waiting for the GPU {:.0f} %: bound by {}\n",
               report.reading * percent, report.copying * percent, report.waiting * percent,
               report.bound);
    fmt::print("{:<40} {:>13} {:>13} {:>13} {:>13}\n", "", "mean", "harmonic mean", "min", "max");
    for (const Series &series : report.series) {
        const Pooled p = pool(series.values);
        fmt::print("{:<40} {:>13.6f} {:>13.6f} {:>13.6f} {:>13.6f}\n", series.name, p.mean,
                   p.harmonic_mean, p.min, p.max);
    }
}

void print(const Report &report, bool verbose) {
    fmt::print("{} frames of {} on {}, {:.1f} frames/s\n", report.frames, report.format,
               report.device, double(report.frames) / report.seconds);
    print_summary(report);
    if (verbose) print_details(report);
}

void note_times(const Times &times, bool cpu, Report &report) {
    report.reading = times.reading;
    report.copying = times.copying;
    report.waiting = times.waiting;
    const double most = std::max({times.reading, times.copying, times.waiting});
    report.bound = most == times.reading   ? "reading"
                   : cpu                   ? "the CPU"
                   : most == times.copying ? "copying"
                                           : "the GPU";
}

void write_html(const Report &report, const std::string &path) {
    std::ofstream file(path);
    file << to_html(report);
    file.close();
    if (!file) throw std::runtime_error(path + ": cannot be written");
}

// 0, or 1 where a shorter file was not allowed.
int lengths_status(const Outcome &outcome, const ScoreOptions &options) {
    const uint64_t left = outcome.left_out_reference + outcome.left_out_distorted;
    if (!left) return 0;
    fmt::print(stderr, "v3doff: {} is longer: {} frames were compared, {} left out{}\n",
               outcome.left_out_reference ? options.reference : options.distorted,
               outcome.frames.size(), left,
               options.allow_shorter ? "" : " (an error without --allow-shorter)");
    return options.allow_shorter ? 0 : 1;
}

// 0, or decoder_errors: then the scores are printed, but another run may have others.
int errors_status(const Report &report) {
    const std::pair<const std::string &, uint64_t> files[] = {
        {report.reference, report.errors_reference}, {report.distorted, report.errors_distorted}};
    int status = 0;
    for (const auto &[path, errors] : files) {
        if (!errors) continue;
        fmt::print(
            stderr,
            "v3doff: {}: the decoder reported {} error{}; the pictures, and so the scores, may "
            "differ from run to run\n",
            path, errors, errors == 1 ? "" : "s");
        status = decoder_errors;
    }
    return status;
}

void warn_of_fallback(const Outcome &outcome, const ScoreOptions &options) {
    if (options.cpu) return;
    uint64_t count = 0;
    std::string reason;
    for (const auto &frame : outcome.frames)
        if (frame.executor == V3DOFF_EXECUTOR_CPU) {
            count++;
            reason = frame.reason;
        }
    if (count)
        fmt::print(stderr, "v3doff: {} of {} frames were scored on the CPU: {}\n", count,
                   outcome.frames.size(), reason);
}

int run_score(const ScoreOptions &options) {
    std::optional<VideoFormat> geometry;
    if (options.size.empty() != options.format.empty())
        throw std::runtime_error("raw samples need both --size and --format");
    if (!options.size.empty()) geometry = parse_geometry(options.size, options.format);
    const uint32_t metrics = metric_bits(options.features);
    auto reference = open_video(options.reference, geometry);
    auto distorted = open_video(options.distorted, geometry);
    check_formats(*reference, *distorted);

    Device device = open_scorer(options);
    Report report;
    report.reference = options.reference;
    report.distorted = options.distorted;
    report.format = reference->format().text();
    report.device = options.cpu ? "CPU" : properties_of(device.get()).name;
    const auto start = std::chrono::steady_clock::now();
    Outcome outcome;
    {
        Progress progress(!options.quiet && isatty(STDERR_FILENO),
                          least(reference->pictures(), distorted->pictures()));
        outcome = run(device.get(), metrics, *reference, *distorted, std::ref(progress));
    }
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (outcome.frames.empty()) throw std::runtime_error("there is no pair of pictures to compare");
    warn_of_fallback(outcome, options);
    note_times(outcome.times, options.cpu, report);
    report.frames = outcome.frames.size();
    report.left_out = outcome.left_out_reference + outcome.left_out_distorted;
    report.errors_reference = reference->errors();
    report.errors_distorted = distorted->errors();
    report.series = series_of(outcome.frames, metrics, reference->format().planes());

    if (options.json) fmt::print("{}\n", to_json(report).dump(2));
    if (options.csv) fmt::print("{}", to_csv(report));
    if (!options.json && !options.csv) print(report, options.verbose);
    if (!options.html.empty()) write_html(report, options.html);
    const int lengths = lengths_status(outcome, options), errors = errors_status(report);
    return errors ? errors : lengths;
}

} // namespace

void add_score(CLI::App &app, int &status) {
    auto *command = app.add_subcommand("score", "measure the quality of a video: psnr_hvs, "
                                                "motion_v2, vif, psnr, ssim");
    auto options = std::make_shared<ScoreOptions>();
    command
        ->add_option("reference", options->reference,
                     "the original: y4m, raw samples, or any video file")
        ->required();
    command
        ->add_option("distorted", options->distorted,
                     "the video to judge, of the same size and format")
        ->required();
    command
        ->add_option("--feature", options->features,
                     "metrics, separated by commas (default psnr_hvs, motion_v2, vif)")
        ->delimiter(',');
    command->add_option("--size", options->size, "size of raw samples: WIDTHxHEIGHT");
    command->add_option("--format", options->format,
                        "format of raw samples: 420p, 422p10, gray, ...");
    add_device_option(command, options->device);
    command->add_flag("--cpu", options->cpu, "use the plain CPU code, no GPU");
    auto *json = command->add_flag("--json", options->json, "print every frame, in libvmaf's JSON");
    command->add_flag("--csv", options->csv, "print every frame, one line each")->excludes(json);
    command->add_option("--html", options->html,
                        "write a page with curves and the worst frames to this file");
    command->add_flag("--allow-shorter", options->allow_shorter,
                      "accept files of different lengths");
    command->add_flag("--verbose", options->verbose, "print every value, and where the time went");
    command->add_flag("-q,--quiet", options->quiet, "show no progress");
    command->callback([options, &status] { status = run_score(*options); });
}

} // namespace tool
