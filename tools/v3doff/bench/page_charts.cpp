// SPDX-License-Identifier: BSD-2-Clause
#include "bench/page_charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "bench/bench.hpp"

namespace tool::bench {
namespace {

// Colours that colour-blind readers can tell apart.
constexpr std::array<const char *, 8> colours = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                 "#56b4e9", "#d55e00", "#8a8a8a", "#f0e442"};
constexpr int row = 24, left = 360, chart_width = 520, right = 160;

std::string colour_of(const std::string &name, const std::vector<std::string> &legend) {
    const auto at = std::find(legend.begin(), legend.end(), name);
    return colours[size_t(at - legend.begin()) % colours.size()];
}

std::string band_colour(double ratio) {
    const std::string band = band_of(ratio);
    return band == "green"    ? "#2e9d4f"
           : band == "yellow" ? "#d6b400"
           : band == "orange" ? "#e07b00"
                              : "#c62828";
}

std::string begin_svg(int height) {
    return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">\n", left + chart_width + right,
                       height);
}

std::string label(int y, const std::string &text) {
    return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", left - 8, y,
                       escaped(text));
}

std::string legend_line(const std::vector<std::string> &legend) {
    if (legend.size() < 2) return "";
    std::string html = "<p class=\"legend\">";
    for (const std::string &name : legend)
        html += fmt::format("<i><span style=\"background:{}\"></span>{}</i> ",
                            colour_of(name, legend), escaped(name));
    return html + "</p>\n";
}

// A position on an axis from least to most, both above 0.
double logarithmic(double value, double least, double most) {
    return std::log(value / least) / std::log(most / least);
}

struct Range {
    double least = 0, most = 0;
    void add(double value) {
        if (value <= 0) return;
        least = least > 0 ? std::min(least, value) : value;
        most = std::max(most, value);
    }
    double place(double value) const { return most > least ? logarithmic(value, least, most) : .5; }
};

} // namespace

std::string escaped(const std::string &text) {
    std::string out;
    for (char c : text)
        out += c == '<'   ? "&lt;"
               : c == '>' ? "&gt;"
               : c == '&' ? "&amp;"
               : c == '"' ? "&quot;"
                          : std::string(1, c);
    return out;
}

std::string bar_chart(const std::vector<Bar> &bars, const std::vector<std::string> &legend) {
    double most = 1e-9;
    for (const Bar &bar : bars) {
        double sum = 0;
        for (const Part &part : bar.parts)
            sum += part.value;
        most = std::max(most, sum);
    }
    std::string svg = begin_svg(row * int(bars.size()) + 6);
    for (size_t i = 0; i < bars.size(); i++) {
        const int y = int(i) * row + 3;
        double x = left;
        svg += label(y + 14, bars[i].name);
        for (const Part &part : bars[i].parts) {
            const double w = part.value / most * chart_width;
            svg +=
                fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"17\" "
                            "fill=\"{}\"><title>{}: {:.4g}</title></rect>\n",
                            x, y, w, colour_of(part.name, legend), escaped(part.name), part.value);
            x += w;
        }
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n", x + 6, y + 14,
                           escaped(bars[i].note));
    }
    return svg + "</svg>\n" + legend_line(legend);
}

std::string ratio_chart(const std::vector<Ratio> &ratios) {
    auto x_of = [](double ratio) {
        return left + chart_width * logarithmic(std::clamp(ratio, .01, 100.), .01, 100);
    };
    const int bottom = row * int(ratios.size()) + 4;
    std::string svg = begin_svg(bottom + 20);
    for (double tick : {.01, .1, .5, 1., 10., 100.})
        svg += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"{1}\" class=\"{2}\"/>"
                           "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4:g}</text>\n",
                           x_of(tick), bottom, tick == 1 ? "one" : "tick", bottom + 14, tick);
    for (size_t i = 0; i < ratios.size(); i++) {
        const auto &[name, hot, cold] = ratios[i];
        const int y = int(i) * row + 3;
        const double from = std::min(x_of(1), x_of(hot)), to = std::max(x_of(1), x_of(hot));
        svg += label(y + 14, name);
        svg += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"17\" fill=\"{}\">"
                           "<title>hot {:.3g}, {}</title></rect>\n",
                           from, y, std::max(to - from, 1.), band_colour(hot), hot, band_of(hot));
        svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{}\" r=\"5\" fill=\"{}\" stroke=\"#222\">"
                           "<title>cold {:.3g}, {}</title></circle>\n",
                           x_of(cold), y + 8, band_colour(cold), cold, band_of(cold));
        svg += fmt::format("<text x=\"{}\" y=\"{}\">{:.2f} {}; {:.2f} {}</text>\n",
                           left + chart_width + 12, y + 14, hot, band_of(hot), cold, band_of(cold));
    }
    return svg + "</svg>\n";
}

std::string line_chart(const std::vector<Line> &lines, const std::string &x_unit,
                       const std::string &y_unit) {
    constexpr int height = 300, from_left = 70, across = 620;
    Range xs, ys;
    std::vector<std::string> names;
    for (const Line &line : lines) {
        if (!line.dashed) names.push_back(line.name);
        for (auto [x, y] : line.points) {
            xs.add(x);
            ys.add(y);
        }
    }
    auto x_of = [&](double x) { return from_left + 10 + (across - 20) * xs.place(x); };
    auto y_of = [&](double y) { return height - 10 - (height - 30) * ys.place(y); };
    std::string svg = begin_svg(height + 40), ticks;
    for (double tick = std::pow(10, std::floor(std::log10(std::max(ys.least, 1e-6))));
         tick <= ys.most; tick *= 10)
        if (tick >= ys.least)
            svg +=
                fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" class=\"tick\"/>"
                            "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
                            from_left, from_left + across, y_of(tick), y_of(tick), from_left - 6,
                            y_of(tick) + 4, tick);
    if (!lines.empty())
        for (auto [x, y] : lines.front().points)
            svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.2g}</text>\n",
                               x_of(x), height + 14, x);
    for (const Line &line : lines) {
        std::string points;
        for (auto [x, y] : line.points)
            points += fmt::format("{:.1f},{:.1f} ", x_of(x), y_of(y));
        svg += fmt::format("<polyline points=\"{}\" stroke=\"{}\"{}><title>{}</title></polyline>\n",
                           points, colour_of(line.name, names),
                           line.dashed ? " stroke-dasharray=\"5 4\"" : "", escaped(line.name));
    }
    svg += fmt::format("<text x=\"{}\" y=\"{}\">{}</text><text x=\"4\" y=\"12\">{}</text>\n",
                       from_left + across - 120, height + 32, x_unit, y_unit);
    return svg + "</svg>\n" + legend_line(names);
}

} // namespace tool::bench
