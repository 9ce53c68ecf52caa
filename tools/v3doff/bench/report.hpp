// SPDX-License-Identifier: BSD-2-Clause
// What a bench found, as a table and as a page with charts that needs nothing else.
#pragma once

#include <string>

#include "bench/bench.hpp"

namespace tool::bench {

std::string to_csv(const Json &result);
std::string to_html(const Json &result);
void write_file(const std::string &path, const std::string &text); // -: standard output

} // namespace tool::bench
