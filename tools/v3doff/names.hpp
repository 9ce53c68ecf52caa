// SPDX-License-Identifier: BSD-2-Clause
// Messages for a word of the command line that is not one of the possible names.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tool {

// "bogus is not one of show, edit, reset"; with the nearest name, if one is near.
std::string not_one_of(const std::string &word, const std::vector<std::string> &names);

// As CLI::IsMember, with that text.
CLI::Validator one_of(const std::vector<std::string> &names);

// What to print instead of "A subcommand is required" if there is a word where one was expected, or
// an unknown option. Otherwise empty. To be called after parse() has thrown.
std::string unknown_word(const CLI::App &app);

} // namespace tool
