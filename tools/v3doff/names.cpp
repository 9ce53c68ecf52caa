// SPDX-License-Identifier: BSD-2-Clause
#include "names.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <utility>

namespace tool {
namespace {

// The number of letters to insert, remove, replace or exchange with the next to make one word of
// the other.
size_t distance(const std::string &a, const std::string &b) {
    std::vector<size_t> before, last, row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t(0));
    for (size_t i = 1; i <= a.size(); i++) {
        before = std::exchange(last, row);
        row[0] = i;
        for (size_t j = 1; j <= b.size(); j++) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row.back();
}

} // namespace

std::string not_one_of(const std::string &word, const std::vector<std::string> &names) {
    const auto nearest = std::min_element(names.begin(), names.end(), [&](auto &a, auto &b) {
        return distance(word, a) < distance(word, b);
    });
    std::string text = fmt::format("{} is not one of {}", word, fmt::join(names, ", "));
    // A name with less than half of the letters in common is no help.
    if (nearest != names.end() &&
        2 * distance(word, *nearest) <= std::max(word.size(), nearest->size()))
        text += fmt::format("; did you mean {}?", *nearest);
    return text;
}

CLI::Validator one_of(const std::vector<std::string> &names) {
    return CLI::Validator(
        [names](std::string &word) {
            return std::find(names.begin(), names.end(), word) == names.end()
                       ? not_one_of(word, names)
                       : std::string();
        },
        fmt::format("{{{}}}", fmt::join(names, ",")));
}

std::string unknown_word(const CLI::App &app) {
    const std::vector<std::string> rest = app.remaining();
    if (rest.empty() || !app.get_subcommands().empty()) return "";
    std::vector<std::string> names;
    if (rest[0].starts_with('-'))
        for (const CLI::Option *option : app.get_options())
            names.push_back("--" + option->get_lnames().at(0));
    else
        for (const CLI::App *command : app.get_subcommands({}))
            names.push_back(command->get_name());
    return not_one_of(rest[0], names);
}

} // namespace tool
