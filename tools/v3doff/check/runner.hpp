// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <optional>

#include "suite.hpp"

namespace tool {

struct CheckOptions {
    std::string filter = "*";
    std::vector<std::string> implementations; // empty: all that are built in
    DeviceChoice device;
    uint64_t seed = 1;
    unsigned repeat = 1;
    unsigned most_cases = ~0u; // of a suite
    std::optional<unsigned> only_case;
    bool list = false, json = false;
};

struct Failed {
    unsigned number;
    std::string what, command;
};

struct SuiteOutcome {
    std::string name;
    std::vector<std::string> implementations;
    unsigned passed = 0, failed = 0;
    std::vector<Failed> failures; // the first few
};

Suites matching_suites(const std::string &filter);

// Calls report after each suite.
std::vector<SuiteOutcome> run_suites(const CheckOptions &options,
                                     const std::function<void(const SuiteOutcome &)> &report);

} // namespace tool
