// SPDX-License-Identifier: BSD-2-Clause
#include "runner.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include "ffdsp.h"

namespace tool {
namespace {

constexpr unsigned failures_kept = 3;

// A case depends on the seed, the suite and its number only, so it can be run alone.
Random case_random(uint64_t seed, const std::string &suite, unsigned number) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (char c : suite)
        hash = (hash ^ uint8_t(c)) * 0x100000001b3u;
    std::seed_seq sequence{uint32_t(seed), uint32_t(seed >> 32), uint32_t(hash),
                           uint32_t(hash >> 32), number};
    return Random(sequence);
}

std::string command_for(const CheckOptions &options, const std::string &suite, unsigned number) {
    std::string command =
        fmt::format("v3doff check --filter {} --seed {} --case {}", suite, options.seed, number);
    if (!options.implementations.empty())
        command += fmt::format(" --impl {}", fmt::join(options.implementations, ","));
    if (!options.device.select.empty())
        command += fmt::format(" --device '{}'", options.device.select);
    if (options.device.memory != V3DOFF_MEMORY_AUTO)
        command += fmt::format(" --memory {}", memory_name(options.device.memory));
    return command;
}

// Empty, or the first difference.
std::string difference(const Case &item, const Result &a, const char *a_name, const Result &b,
                       const char *b_name) {
    for (const auto &[region, bytes] : a) {
        const auto &other = b.at(region);
        if (bytes == other) continue;
        if (bytes.size() != other.size())
            return fmt::format("{} and {}: {} differs in size", a_name, b_name, region);
        size_t at =
            size_t(std::mismatch(bytes.begin(), bytes.end(), other.begin()).first - bytes.begin());
        return fmt::format("{} {:#04x}, {} {:#04x}: {}", a_name, bytes[at], b_name, other[at],
                           item.describe(region, at));
    }
    return "";
}

std::vector<Implementation> chosen(const Suite &suite, const CheckOptions &options) {
    std::vector<Implementation> list;
    for (Implementation implementation : all_implementations) {
        const auto &names = options.implementations;
        bool wanted = names.empty() ||
                      std::find(names.begin(), names.end(), implementation_name(implementation)) !=
                          names.end();
        if (wanted && suite.has(implementation)) list.push_back(implementation);
    }
    return list;
}

std::string run_case(const Suite &suite, const std::vector<Implementation> &implementations,
                     const CheckOptions &options, unsigned number, Bench &bench) {
    Random random = case_random(options.seed, suite.name, number);
    auto item = suite.make_case(random);
    std::vector<Result> results;
    for (Implementation implementation : implementations) {
        try {
            results.push_back(item->run(implementation, bench));
        } catch (const std::exception &problem) {
            return fmt::format("{}: {}", implementation_name(implementation), problem.what());
        }
    }
    for (size_t i = 0; i < results.size(); i++)
        for (size_t j = i + 1; j < results.size(); j++) {
            auto found = difference(*item, results[i], implementation_name(implementations[i]),
                                    results[j], implementation_name(implementations[j]));
            if (!found.empty()) return found;
        }
    return "";
}

SuiteOutcome run_suite(const Suite &suite, const CheckOptions &options, Bench &bench) {
    SuiteOutcome outcome;
    outcome.name = suite.name;
    auto implementations = chosen(suite, options);
    for (Implementation implementation : implementations)
        outcome.implementations.emplace_back(implementation_name(implementation));
    unsigned end = std::min(suite.cases * options.repeat, options.most_cases), first = 0;
    if (options.only_case) {
        first = *options.only_case;
        end = first + 1;
    }
    if (implementations.size() < 2) return outcome;
    for (unsigned number = first; number < end; number++) {
        std::string problem = run_case(suite, implementations, options, number, bench);
        if (problem.empty()) {
            outcome.passed++;
            continue;
        }
        if (outcome.failed++ < failures_kept)
            outcome.failures.push_back({number, problem, command_for(options, suite.name, number)});
    }
    return outcome;
}

} // namespace

bool Suite::has(Implementation implementation) const {
    if (implementation == Implementation::ffmpeg_c)
        return ffmpeg != Ffmpeg::none && ffdsp_version();
    if (implementation == Implementation::ffmpeg)
        return ffmpeg == Ffmpeg::c_and_simd && ffdsp_version();
    return true;
}

const char *implementation_name(Implementation implementation) {
    switch (implementation) {
    case Implementation::reference:
        return "ref";
    case Implementation::ffmpeg_c:
        return "ffmpeg-c";
    case Implementation::ffmpeg:
        return "ffmpeg";
    case Implementation::vulkan:
        return "vulkan";
    }
    return "?";
}

Suites matching_suites(const std::string &filter) {
    Suites all, matching;
    add_h264_residual(all);
    add_h264_inter(all);
    add_h264_intra(all);
    add_h264_whole(all);
    add_vp9_residual(all);
    add_vp9_filter(all);
    add_vp9_filter_bands(all);

    add_vp9_intra(all);
    add_vp9_inter(all);
    add_vp9_whole(all);
    add_h264_dsp(all);
    add_vp9_dsp(all);
    add_vp9_dsp_calls(all);

    add_h264_filter(all);
    add_h264_strength(all);

    add_self_test(all);
    for (auto &suite : all) {
        // A hidden suite must be requested by name; "*" does not select it.
        bool asked = !suite.hidden || filter.rfind("self_test", 0) == 0;
        if (asked && fnmatch(filter.c_str(), suite.name.c_str(), 0) == 0)
            matching.push_back(std::move(suite));
    }
    return matching;
}

std::vector<SuiteOutcome> run_suites(const CheckOptions &options,
                                     const std::function<void(const SuiteOutcome &)> &report) {
    Suites suites = matching_suites(options.filter);
    Bench bench;
    bench.cpu = open_cpu();
    const auto &names = options.implementations;
    if (names.empty() || std::find(names.begin(), names.end(), "vulkan") != names.end())
        bench.vulkan = open_device(options.device);
    std::vector<SuiteOutcome> outcomes;
    for (const auto &suite : suites) {
        outcomes.push_back(run_suite(suite, options, bench));
        report(outcomes.back());
    }
    return outcomes;
}

} // namespace tool
