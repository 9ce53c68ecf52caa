// SPDX-License-Identifier: BSD-2-Clause
#include "commands.hpp"

#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ffdsp.h"
#include "names.hpp"
#include "runner.hpp"

namespace tool {
namespace {

using Json = nlohmann::ordered_json;

void print_cpu_functions() {
    if (ffdsp_version())
        fmt::print("ffmpeg is FFmpeg {} with {} (CPU flags: {})\n", ffdsp_version(),
                   ffdsp_vectors(), ffdsp_cpu_flag_names());
}

std::string shown_name(const std::string &implementation) {
    if (implementation != implementation_name(Implementation::ffmpeg)) return implementation;
    return implementation + " " + ffdsp_vectors();
}

void list(const CheckOptions &options) {
    Json json = Json::array();
    for (const auto &suite : matching_suites(options.filter)) {
        if (options.json)
            json.push_back(
                {{"name", suite.name}, {"summary", suite.summary}, {"cases", suite.cases}});
        else
            fmt::print("{:<32} {:>6} cases  {}\n", suite.name, suite.cases, suite.summary);
    }
    if (options.json)
        fmt::print("{}\n", json.dump(2));
    else
        print_cpu_functions();
}

void print(const SuiteOutcome &outcome) {
    std::vector<std::string> names;
    for (const auto &name : outcome.implementations)
        names.push_back(shown_name(name));
    const unsigned cases = outcome.passed + outcome.failed;
    fmt::print("{} {:<32} {:>6} cases  {}\n",
               outcome.failed ? "FAIL"
               : cases        ? "ok  "
                              : "none",
               outcome.name, cases, fmt::join(names, " = "));
    for (const auto &failure : outcome.failures) {
        fmt::print("     case {}: {}\n", failure.number, failure.what);
        if (!failure.command.empty()) fmt::print("     {}\n", failure.command);
    }
    std::fflush(stdout);
}

Json to_json(const SuiteOutcome &outcome) {
    Json failures = Json::array();
    for (const auto &failure : outcome.failures)
        failures.push_back(
            {{"case", failure.number}, {"what", failure.what}, {"command", failure.command}});
    return {{"name", outcome.name},
            {"implementations", outcome.implementations},
            {"passed", outcome.passed},
            {"failed", outcome.failed},
            {"failures", failures}};
}

int run(const CheckOptions &options) {
    if (options.list) {
        list(options);
        return 0;
    }
    auto outcomes = run_suites(options, [&](const SuiteOutcome &outcome) {
        if (!options.json) print(outcome);
    });
    unsigned passed = 0, failed = 0;
    Json suites = Json::array();
    for (const auto &outcome : outcomes) {
        passed += outcome.passed;
        failed += outcome.failed;
        suites.push_back(to_json(outcome));
    }
    if (outcomes.empty())
        throw std::runtime_error(fmt::format("no suite matches '{}'", options.filter));
    if (passed + failed == 0)
        throw std::runtime_error(
            "nothing to compare: each suite has fewer than two of these implementations");
    if (options.json) {
        Json json{
            {"seed", options.seed}, {"suites", suites}, {"passed", passed}, {"failed", failed}};
        if (ffdsp_version())
            json["ffmpeg"] = {{"version", ffdsp_version()},
                              {"vectors", ffdsp_vectors()},
                              {"flags", ffdsp_cpu_flag_names()}};
        fmt::print("{}\n", json.dump(2));
    } else {
        print_cpu_functions();
        fmt::print("{} passed, {} failed\n", passed, failed);
    }
    return failed ? 1 : 0;
}

} // namespace

void add_check(CLI::App &app, int &status) {
    auto *command = app.add_subcommand(
        "check", "compare all implementations of every kernel, bit for bit, on random cases");
    auto options = std::make_shared<CheckOptions>();
    std::map<std::string, v3doff_memory_path> paths;
    for (int i = V3DOFF_MEMORY_AUTO; i < V3DOFF_MEMORY_CPU; i++)
        paths[memory_name(v3doff_memory_path(i))] = v3doff_memory_path(i);
    std::vector<std::string> known;
    for (Implementation implementation : all_implementations)
        known.emplace_back(implementation_name(implementation));

    command->add_flag("--list", options->list, "list the suites and run nothing");
    command->add_option("--filter", options->filter, "run these suites; * and ? are wildcards");
    command->add_option("--impl", options->implementations, "implementations, separated by commas")
        ->delimiter(',')
        ->check(one_of(known));
    add_device_option(command, options->device);
    command
        ->add_option("--memory", options->device.memory,
                     "how the pictures share memory with the GPU")
        ->transform(CLI::CheckedTransformer(paths));
    command->add_option("--seed", options->seed, "seed of the random cases (default 1)");
    command->add_option("--repeat", options->repeat, "run this many times as many cases")
        ->check(CLI::Range(1, 1000000));
    command->add_option("--cases", options->most_cases, "run at most this many cases of a suite")
        ->check(CLI::Range(1, 1000000));
    command->add_option("--case", options->only_case, "run only the case with this number");
    command->add_flag("--json", options->json, "print JSON");
    command->callback([options, &status] { status = run(*options); });
}

} // namespace tool
