// SPDX-License-Identifier: BSD-2-Clause
// The page of v3doff score --html: no script, nothing loaded, one SVG a series.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "bench/page_charts.hpp"
#include "score/scores.hpp"

namespace tool::score {
namespace {

using bench::escaped;

constexpr double chart_width = 900, chart_height = 160;
constexpr size_t most_points = 1800, worst_count = 10;

constexpr const char *head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>v3doff score</title><style>
body{font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:2em auto;padding:0 1em;
background:#fff;color:#222}
h2{font-size:1.05em;margin:1.8em 0 .3em}table{border-collapse:collapse}
td,th{padding:.15em .9em .15em 0;text-align:right;font-variant-numeric:tabular-nums}
td:first-child,th:first-child{text-align:left}svg{width:100%;height:auto;background:#f6f7f9}
polyline{fill:none;stroke:#2563c9;stroke-width:1.3}circle{fill:#c22}text{font-size:11px;fill:#555}
@media(prefers-color-scheme:dark){body{background:#16181c;color:#ddd}svg{background:#20242b}
polyline{stroke:#6aa5ff}text{fill:#aaa}}
</style></head><body>
)";

std::string shown(double value) {
    return std::isfinite(value) ? fmt::format("{:.6g}", value) : "infinite";
}

struct Scale {
    double least = 0, most = 1;
    size_t count = 1;

    explicit Scale(const std::vector<double> &values) : count(values.size()) {
        bool first = true;
        for (double value : values) {
            if (!std::isfinite(value)) continue;
            least = first ? value : std::min(least, value);
            most = first ? value : std::max(most, value);
            first = false;
        }
        if (most == least) most = least + 1;
    }
    double x(size_t n) const {
        return chart_width * double(n) / double(std::max<size_t>(count - 1, 1));
    }
    double y(double value) const {
        const double part = std::isfinite(value) ? (value - least) / (most - least) : 1;
        return chart_height - 8 - (chart_height - 24) * part;
    }
};

// If there are many frames, takes the lowest of each group, so that bad frames stay visible.
std::string curve(const std::vector<double> &values, const Scale &scale) {
    const size_t run = (values.size() + most_points - 1) / most_points;
    std::string points;
    for (size_t n = 0; n < values.size(); n += run) {
        auto end = values.begin() + ptrdiff_t(std::min(n + run, values.size()));
        auto lowest = std::min_element(values.begin() + ptrdiff_t(n), end);
        points += fmt::format("{:.1f},{:.1f} ", scale.x(size_t(lowest - values.begin())),
                              scale.y(*lowest));
    }
    return points;
}

std::vector<size_t> worst_frames(const std::vector<double> &values) {
    std::vector<size_t> order(values.size());
    std::iota(order.begin(), order.end(), size_t(0));
    const size_t count = std::min(worst_count, order.size());
    std::partial_sort(
        order.begin(), order.begin() + ptrdiff_t(count), order.end(),
        [&](size_t a, size_t b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
    order.resize(count);
    return order;
}

bool is_quality(const std::string &name) {
    return name.find("motion") == std::string::npos && name.find("_num") == std::string::npos &&
           name.find("_den") == std::string::npos;
}

std::string section(const Series &series) {
    const Scale scale(series.values);
    std::string marks, rows;
    if (is_quality(series.name))
        for (size_t n : worst_frames(series.values)) {
            marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>frame {}: {}"
                                 "</title></circle>",
                                 scale.x(n), scale.y(series.values[n]), n, shown(series.values[n]));
            rows += fmt::format("{}{} ({})", rows.empty() ? "" : ", ", n, shown(series.values[n]));
        }
    return fmt::format(
        "<h2>{0}</h2>\n<svg viewBox=\"0 0 {1} {2}\" role=\"img\" aria-label=\"{0} by frame\">"
        "<polyline points=\"{3}\"/>{4}<text x=\"4\" y=\"12\">{5}</text>"
        "<text x=\"4\" y=\"{6}\">{7}</text></svg>\n{8}",
        series.name, chart_width, chart_height, curve(series.values, scale), marks,
        shown(scale.most), chart_height - 4, shown(scale.least),
        rows.empty() ? "" : "<p>Worst frames: " + rows + "</p>\n");
}

} // namespace

std::string to_html(const Report &report) {
    std::string page = head;
    page += fmt::format("<h1>v3doff score</h1>\n<p>{}<br>against the reference {}<br>{}, {} frames"
                        "{}; {}</p>\n",
                        escaped(report.distorted), escaped(report.reference), report.format,
                        report.frames,
                        report.left_out ? fmt::format(" ({} left out)", report.left_out) : "",
                        escaped(report.device));
    if (const uint64_t errors = report.errors_reference + report.errors_distorted)
        page +=
            fmt::format("<p>The decoders reported {} error{}: the scores may differ from run to "
                        "run.</p>\n",
                        errors, errors == 1 ? "" : "s");
    page += "<table><tr><th>metric</th><th>mean</th><th>harmonic mean</th><th>min</th><th>1 %</th>"
            "<th>5 %</th><th>95 %</th></tr>\n";
    for (const Series &series : report.series) {
        const Pooled p = pool(series.values);
        page += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
                            "<td>{}</td></tr>\n",
                            series.name, shown(p.mean), shown(p.harmonic_mean), shown(p.min),
                            shown(p.percentile_1), shown(p.percentile_5), shown(p.percentile_95));
    }
    page += "</table>\n";
    for (const Series &series : report.series)
        page += section(series);
    return page + "</body></html>\n";
}

} // namespace tool::score
