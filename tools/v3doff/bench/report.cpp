// SPDX-License-Identifier: BSD-2-Clause
#include "bench/report.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <vector>

namespace tool::bench {
namespace {

// Colours that stay apart for readers who do not see all of them.
constexpr std::array<const char *, 8> colours = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                 "#56b4e9", "#d55e00", "#8a8a8a", "#f0e442"};

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

double median(const Json &item, const char *key) {
    return item.contains(key) ? item[key]["median"].get<double>() : 0;
}

struct Part {
    std::string name;
    double value;
};
struct Bar {
    std::string name;
    std::vector<Part> parts; // one after the other
    std::string note;        // behind the bar
};

std::string bar_chart(const std::vector<Bar> &bars, const std::vector<std::string> &legend) {
    constexpr int row = 26, left = 400, width = 560;
    double most = 1e-9;
    for (const Bar &bar : bars) {
        double sum = 0;
        for (const Part &part : bar.parts)
            sum += part.value;
        most = std::max(most, sum);
    }
    std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">\n", left + width + 140,
                                  row * int(bars.size()) + 8);
    for (size_t i = 0; i < bars.size(); i++) {
        const int y = int(i) * row + 4;
        double x = left;
        svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", left - 8,
                           y + 15, escaped(bars[i].name));
        for (const Part &part : bars[i].parts) {
            const double w = part.value / most * width;
            const size_t number =
                size_t(std::find(legend.begin(), legend.end(), part.name) - legend.begin());
            svg += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"18\" "
                               "fill=\"{}\"><title>{}: {:.1f}</title></rect>\n",
                               x, y, w, colours[number % colours.size()], escaped(part.name),
                               part.value);
            x += w;
        }
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n", x + 6, y + 15,
                           escaped(bars[i].note));
    }
    svg += "</svg>\n";
    if (legend.size() > 1) {
        svg += "<p class=\"legend\">";
        for (size_t i = 0; i < legend.size(); i++)
            svg += fmt::format("<span style=\"background:{}\"></span>{} ",
                               colours[i % colours.size()], escaped(legend[i]));
        svg += "</p>\n";
    }
    return svg;
}

void note_name(std::vector<std::string> &names, const std::string &name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string pass_chart(const Json &items) {
    std::vector<Bar> bars;
    std::vector<std::string> legend;
    for (const Json &item : items) {
        if (!item.contains("passes_us")) continue;
        Bar bar{item["name"], {}, fmt::format("{:.0f} us", median(item, "gpu_us"))};
        for (const auto &[pass, spread] : item["passes_us"].items()) {
            bar.parts.push_back({pass, spread["median"].get<double>()});
            note_name(legend, pass);
        }
        bars.push_back(std::move(bar));
    }
    return bar_chart(bars, legend);
}

// Against the CPU's own functions, where they were measured.
std::string ratio_chart(const Json &items) {
    std::vector<Bar> bars;
    for (const Json &item : items)
        if (item.contains("ratio"))
            bars.push_back({item["name"],
                            {{"R", item["ratio"].get<double>()}},
                            fmt::format("{:.2f}, {}", item["ratio"].get<double>(),
                                        item["band"].get<std::string>())});
    return bars.empty() ? "" : "<h2>GPU against one core's SIMD</h2>\n" + bar_chart(bars, {"R"});
}

// Families that were measured at more than one size.
std::string scaling_chart(const Json &items) {
    std::vector<Bar> bars;
    for (const Json &item : items) {
        const auto same = std::count_if(items.begin(), items.end(), [&](const Json &other) {
            return other["family"] == item["family"] && other.contains("width") &&
                   item.contains("width") && other["width"] != item["width"];
        });
        if (!same) continue;
        const double samples = item["width"].get<double>() * item["height"].get<double>() / 1e6;
        bars.push_back({item["name"],
                        {{"us", median(item, "gpu_us") / samples}},
                        fmt::format("{:.1f} us", median(item, "gpu_us") / samples)});
    }
    return bars.empty() ? ""
                        : "<h2>Over picture size: GPU time a million luma samples</h2>\n" +
                              bar_chart(bars, {"us"});
}

std::string table(const Json &items) {
    std::string html = "<table><tr><th>work<th>dispatches<th>GPU us<th>spread<th>submit us"
                       "<th>bits</tr>\n";
    for (const Json &item : items)
        html += fmt::format(
            "<tr><td>{}<td>{}<td>{:.1f}<td>{}<td>{:.1f}<td>{}</tr>\n",
            escaped(item["name"].get<std::string>()),
            item.contains("dispatches") ? item["dispatches"].dump() : "", median(item, "gpu_us"),
            item.contains("gpu_us")
                ? fmt::format("{:.1f} to {:.1f}", item["gpu_us"]["min"].get<double>(),
                              item["gpu_us"]["max"].get<double>())
                : "",
            median(item, "submit_us"), item.contains("bits_equal") ? "equal" : "");
    return html + "</table>\n";
}

} // namespace

std::string to_csv(const Json &result) {
    std::string csv = "family,name,width,height,bit_depth,dispatches,gpu_us_median,gpu_us_min,"
                      "gpu_us_max,submit_us_median,simd_us_hot,simd_us_cold,ratio,band\n";
    auto value = [](const Json &item, const char *key) {
        return !item.contains(key)     ? std::string()
               : item[key].is_string() ? item[key].get<std::string>()
                                       : item[key].dump();
    };
    auto of = [](const Json &item, const char *key, const char *which) {
        return item.contains(key) ? item[key][which].dump() : std::string();
    };
    for (const Json &item : result["results"])
        csv += fmt::format("{},\"{}\",{},{},{},{},{},{},{},{},{},{},{},{}\n", value(item, "family"),
                           value(item, "name"), value(item, "width"), value(item, "height"),
                           value(item, "bit_depth"), value(item, "dispatches"),
                           of(item, "gpu_us", "median"), of(item, "gpu_us", "min"),
                           of(item, "gpu_us", "max"), of(item, "submit_us", "median"),
                           of(item, "simd_us_hot", "median"), of(item, "simd_us_cold", "median"),
                           value(item, "ratio"), value(item, "band"));
    return csv;
}

std::string to_html(const Json &result) {
    const Json &items = result["results"];
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<title>v3doff bench: {0}</title>\n<style>"
        "body{{font:15px sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#222}}"
        "svg{{width:100%;font:12px sans-serif}}td,th{{padding:.2em .7em;text-align:left;"
        "border-bottom:1px solid #ddd}}td:nth-child(n+2){{text-align:right}}"
        ".legend span{{display:inline-block;width:1em;height:1em;margin:0 .3em 0 1em;"
        "vertical-align:-.1em}}</style></head><body>\n"
        "<h1>{0}</h1>\n<p>Driver {1}; memory {2}; libv3doff {3}. Every timed picture's samples "
        "were "
        "compared with the CPU's; medians.</p>\n"
        "<h2>GPU time by pass</h2>\n{4}{5}{6}<h2>All figures</h2>\n{7}</body></html>\n",
        escaped(result["device"]), escaped(result["driver"]), escaped(result["memory_path"]),
        escaped(result["library"]), pass_chart(items), ratio_chart(items), scaling_chart(items),
        table(items));
}

void write_file(const std::string &path, const std::string &text) {
    if (path == "-") {
        fmt::print("{}", text);
        return;
    }
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw std::runtime_error(path + " cannot be written");
}

} // namespace tool::bench
