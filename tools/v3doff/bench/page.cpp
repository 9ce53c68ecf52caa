// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "bench/page_charts.hpp"
#include "bench/report.hpp"

namespace tool::bench {
namespace {

constexpr const char *style =
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;"
    "color:#222;background:#fff}h2{margin:1.8em 0 .2em}h3{margin:1.2em 0 .2em;font-size:1em}"
    "svg{width:100%;font:12px system-ui,sans-serif}polyline{fill:none;stroke-width:2}"
    ".legend "
    "i{font-style:normal;white-space:nowrap}.tick{stroke:#ddd}.one{stroke:#222}.bad{color:#c62828}"
    "td,th{padding:.2em .7em;text-align:left;border-bottom:1px solid #ddd}"
    "td:nth-child(n+2){text-align:right;font-variant-numeric:tabular-nums}table{border-collapse:"
    "collapse;font-size:13px}.legend{font-size:13px}.legend span{display:inline-block;width:1em;"
    "height:1em;margin:0 .3em 0 1em;vertical-align:-.1em}.wide{overflow-x:auto}";

double median(const Json &item, const char *key) {
    return item.contains(key) ? item[key]["median"].get<double>() : 0;
}
double number(const Json &item, const char *key) {
    return item.contains(key) ? item[key].get<double>() : 0;
}

void note_name(std::vector<std::string> &names, const std::string &name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// Without the parts that all bars of a family share, because the names are long.
std::string short_name(const Json &item) {
    std::string name = item["name"];
    for (const char *part : {", 8 bit", " 4:2:0", ", every coefficient", " every block of"})
        if (const size_t at = name.find(part); at != name.npos)
            name.erase(at, std::string(part).size());
    return name.size() > 58 ? name.substr(0, 57) + "..." : name;
}

std::string pass_charts(const Json &items) {
    std::vector<std::string> families;
    for (const Json &item : items)
        if (item.contains("passes_us") && item.contains("gpu_us"))
            note_name(families, item["family"]);
    std::string html;
    for (const std::string &family : families) {
        std::vector<Bar> bars;
        std::vector<std::string> legend;
        for (const Json &item : items) {
            if (item["family"] != family || !item.contains("gpu_us")) continue;
            Bar bar{short_name(item), {}, fmt::format("{:.0f} us", median(item, "gpu_us"))};
            for (const auto &[pass, spread] : item["passes_us"].items()) {
                bar.parts.push_back({pass, spread["median"].get<double>()});
                note_name(legend, pass);
            }
            bars.push_back(std::move(bar));
        }
        html += "<h3>" + escaped(family) + "</h3>\n" + bar_chart(bars, legend);
    }
    return html.empty() ? "" : "<h2>GPU time by pass</h2>\n" + html;
}

std::string ratios(const Json &items) {
    std::vector<Ratio> found;
    for (const Json &item : items)
        if (item.contains("ratio"))
            found.push_back({short_name(item), number(item, "ratio"), number(item, "ratio_cold")});
    if (found.empty()) return "";
    return "<h2>GPU against one core's SIMD</h2>\n<p>R: how many pictures the GPU does in the time "
           "that FFmpeg's functions take for one. Bars: hot caches, circles: cold ones. Green from "
           "1, yellow from 0.5, orange from 0.1, red below.</p>\n" +
           ratio_chart(found);
}

// Where a picture's time goes, on the calling thread and on the GPU.
std::string breakdown(const Json &items) {
    std::vector<Bar> bars;
    const std::vector<std::string> legend = {"recording (CPU)", "submit (CPU)", "copies (GPU)",
                                             "kernels (GPU)"};
    for (const Json &item : items) {
        if (item["family"] != "picture") continue;
        const double kernels = number(item, "kernels_us");
        bars.push_back({fmt::format("{}, {}p", item["stage"].get<std::string>(),
                                    item["height"].get<unsigned>()),
                        {{legend[0], median(item, "record_us")},
                         {legend[1], median(item, "submit_us")},
                         {legend[2], std::max(median(item, "gpu_us") - kernels, 0.)},
                         {legend[3], kernels}},
                        fmt::format("{:.0f} us on the GPU, {} dispatches", median(item, "gpu_us"),
                                    item["dispatches"].get<unsigned>())});
    }
    return bars.empty() ? "" : "<h2>A picture's time</h2>\n" + bar_chart(bars, legend);
}

std::string scaling(const Json &items) {
    std::vector<Line> lines;
    std::map<std::string, std::pair<Line, Line>> stages;
    std::vector<std::string> order;
    for (const Json &item : items) {
        if (item["family"] != "picture" || median(item, "gpu_us") <= 0) continue;
        const std::string name = item["stage"];
        note_name(order, name);
        const double samples = number(item, "width") * number(item, "height") / 1e6;
        auto &[gpu, simd] = stages[name];
        gpu.points.push_back({samples, median(item, "gpu_us")});
        if (item.contains("simd_us_hot"))
            simd.points.push_back({samples, median(item, "simd_us_hot")});
    }
    for (const std::string &name : order) {
        auto &[gpu, simd] = stages[name];
        gpu.name = simd.name = name;
        simd.dashed = true;
        lines.push_back(gpu);
        if (!simd.points.empty()) lines.push_back(simd);
    }
    if (lines.empty()) return "";
    return "<h2>Over picture size</h2>\n<p>Full lines: GPU. Dashed: FFmpeg's SIMD on one core, hot "
           "caches.</p>\n" +
           line_chart(lines, "million luma samples", "us a picture");
}

std::string matrices(const Json &items) {
    std::string html;
    for (const Json &item : items) {
        if (!item.contains("matrix")) continue;
        std::vector<Bar> rate, cpu;
        for (const Json &cell : item["matrix"]) {
            const double all = number(cell, "pictures_per_second");
            const double gpu = number(cell, "by_gpu_per_second");
            rate.push_back(
                {cell["who"],
                 {{"by cores", all - gpu}, {"by the GPU", gpu}},
                 fmt::format("{:.0f}/s, {:.1f} x 30", all, number(cell, "margin_over_30"))});
            cpu.push_back(
                {cell["who"],
                 {{"CPU ms a picture", number(cell, "cpu_ms_per_picture")}},
                 fmt::format("{:.2f} ms CPU a picture", number(cell, "cpu_ms_per_picture"))});
        }
        html += fmt::format("<h3>{}; cores by {}</h3>\n", escaped(item["name"].get<std::string>()),
                            escaped(item["cores_by"].get<std::string>())) +
                bar_chart(rate, {"by cores", "by the GPU"}) + bar_chart(cpu, {"CPU ms a picture"});
    }
    return html.empty() ? "" : "<h2>Cores and GPU side by side</h2>\n" + html;
}

std::string metrics_chart(const Json &items) {
    std::vector<Bar> bars;
    for (const Json &item : items)
        if (item.contains("frames_per_second"))
            bars.push_back({short_name(item),
                            {{"frames/s", number(item, "frames_per_second")}},
                            fmt::format("{:.1f}/s", number(item, "frames_per_second"))});
    return bars.empty()
               ? ""
               : "<h2>Quality metrics, frames a second</h2>\n" + bar_chart(bars, {"frames/s"});
}

std::string shown_spread(const Json &item, const char *key) {
    return item.contains(key)
               ? fmt::format("{:.1f} ({:.1f} to {:.1f})", median(item, key),
                             item[key]["min"].get<double>(), item[key]["max"].get<double>())
               : "";
}

std::string table(const Json &items) {
    std::string html = "<div class=\"wide\"><table><tr><th>work<th>dispatches<th>GPU us<th>submit "
                       "us<th>SIMD us, hot<th>SIMD us, cold<th>C us, hot<th>C us, cold<th>R<th>"
                       "GB/s<th>copy GB/s<th>bits</tr>\n";
    auto rate = [](const Json &item, const char *key) {
        return item.contains(key) ? fmt::format("{:.1f}", number(item, key)) : std::string();
    };
    for (const Json &item : items)
        html += fmt::format(
            "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>\n",
            escaped(item["name"].get<std::string>()),
            item.contains("dispatches") ? item["dispatches"].dump() : "",
            shown_spread(item, "gpu_us"), shown_spread(item, "submit_us"),
            shown_spread(item, "simd_us_hot"), shown_spread(item, "simd_us_cold"),
            shown_spread(item, "c_us_hot"), shown_spread(item, "c_us_cold"),
            item.contains("ratio")
                ? fmt::format("{:.2f} {}", number(item, "ratio"), item["band"].get<std::string>())
            : item.contains("ffmpeg") ? item["ffmpeg"].get<std::string>()
                                      : "",
            rate(item, "moved_gb_s"), rate(item, "copy_gb_s"),
            item.contains("bits_equal") || item.contains("scores_equal") ? "equal" : "");
    return html + "</table></div>\n";
}

std::string failures(const Json &result) {
    std::string html;
    if (result.contains("failed"))
        for (const Json &one : result["failed"])
            html += fmt::format("<p class=\"bad\">{}: {}</p>\n",
                                escaped(one["family"].get<std::string>()),
                                escaped(one["why"].get<std::string>()));
    return html;
}

} // namespace

std::string to_html(const Json &result) {
    const Json &items = result["results"];
    std::string page = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>v3doff bench: {0}"
        "</title>\n<style>{5}</style></head><body>\n<h1>{0}</h1>\n<p>Driver {1}; memory {2}; "
        "libv3doff {3}; FFmpeg's functions: {4}. Every timed picture's samples were compared with "
        "the CPU's; medians, and from least to most.</p>\n",
        escaped(result["device"]), escaped(result["driver"]), escaped(result["memory_path"]),
        escaped(result["library"]), escaped(result.value("ffmpeg", "not known")), style);
    return page + failures(result) + matrices(items) + ratios(items) + breakdown(items) +
           scaling(items) + pass_charts(items) + metrics_chart(items) + "<h2>All figures</h2>\n" +
           table(items) + "</body></html>\n";
}

} // namespace tool::bench
