// SPDX-License-Identifier: BSD-2-Clause
// Charts as SVG, for a page that loads nothing.
#pragma once

#include <string>
#include <vector>

namespace tool::bench {

std::string escaped(const std::string &text);

struct Part {
    std::string name; // what the legend calls it; its colour follows from that
    double value;
};
struct Bar {
    std::string name;
    std::vector<Part> parts; // one after the other
    std::string note;        // behind the bar
};
// Lengths from 0 on.
std::string bar_chart(const std::vector<Bar> &bars, const std::vector<std::string> &legend);

struct Ratio {
    std::string name;
    double hot, cold;
};
// From 1/100 to 100, both ways from 1: bars for hot caches, marks for cold ones.
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
