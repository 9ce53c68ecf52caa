// SPDX-License-Identifier: BSD-2-Clause
// Charts as SVG, for a page that loads no other files.
#pragma once

#include <string>
#include <vector>

namespace tool::bench {

std::string escaped(const std::string &text);

struct Part {
    std::string name; // as in the legend, which also determines its colour
    double value;
};
struct Bar {
    std::string name;
    std::vector<Part> parts; // one after the other
    std::string note;        // text after the bar
};
// The axis starts at 0.
std::string bar_chart(const std::vector<Bar> &bars, const std::vector<std::string> &legend);

struct Ratio {
    std::string name;
    double hot, cold;
};
// The axis goes from 1/100 to 100, and bars start at 1: bars for hot caches, marks for cold ones.
std::string ratio_chart(const std::vector<Ratio> &ratios);

struct Line {
    std::string name;
    std::vector<std::pair<double, double>> points;
    bool dashed = false;
};
// Both axes logarithmic.
std::string line_chart(const std::vector<Line> &lines, const std::string &x_unit,
                       const std::string &y_unit);

} // namespace tool::bench
