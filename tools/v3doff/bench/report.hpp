// SPDX-License-Identifier: BSD-2-Clause
// Writes a bench's results as a table, and as a page with charts that loads no other files.
#pragma once

#include <string>

#include "bench/bench.hpp"

namespace tool::bench {

std::string to_csv(const Json &result);
std::string to_html(const Json &result);
void write_file(const std::string &path, const std::string &text); // -: standard output

} // namespace tool::bench
