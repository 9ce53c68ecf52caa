// SPDX-License-Identifier: BSD-2-Clause
#include "bench/report.hpp"

#include <fmt/format.h>
#include <fstream>

namespace tool::bench {

std::string to_csv(const Json &result) {
    std::string csv =
        "family,name,width,height,bit_depth,dispatches,gpu_us_median,gpu_us_min,"
        "gpu_us_max,submit_us_median,simd_us_hot,simd_us_cold,c_us_hot,c_us_cold,ratio,"
        "band,ratio_cold,band_cold,moved_gb_s,copy_gb_s,who,pictures_per_second,"
        "cpu_seconds,margin_over_30\n";
    auto value = [](const Json &item, const char *key) {
        return !item.contains(key)     ? std::string()
               : item[key].is_string() ? item[key].get<std::string>()
                                       : item[key].dump();
    };
    auto of = [](const Json &item, const char *key, const char *which) {
        return item.contains(key) ? item[key][which].dump() : std::string();
    };
    for (const Json &item : result["results"]) {
        std::string line;
        for (const char *key : {"family", "name", "width", "height", "bit_depth", "dispatches"})
            line +=
                (key == std::string("name") ? "\"" + value(item, key) + "\"" : value(item, key)) +
                ",";
        for (const char *which : {"median", "min", "max"})
            line += of(item, "gpu_us", which) + ",";
        for (const char *key :
             {"submit_us", "simd_us_hot", "simd_us_cold", "c_us_hot", "c_us_cold"})
            line += of(item, key, "median") + ",";
        for (const char *key :
             {"ratio", "band", "ratio_cold", "band_cold", "moved_gb_s", "copy_gb_s"})
            line += value(item, key) + ",";
        // In a matrix, a line for each "who".
        for (const Json &cell : item.contains("matrix") ? item["matrix"] : Json::array({Json()}))
            csv += fmt::format("{}\"{}\",{},{},{}\n", line, value(cell, "who"),
                               value(cell, "pictures_per_second"), value(cell, "cpu_seconds"),
                               value(cell, "margin_over_30"));
    }
    return csv;
}

void write_file(const std::string &path, const std::string &text) {
    if (path == "-") {
        fmt::print("{}", text);
        return;
    }
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw std::runtime_error(path + ": cannot be written");
}

} // namespace tool::bench
