// SPDX-License-Identifier: BSD-2-Clause
#include "score/scores.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <stdexcept>

namespace tool::score {
namespace {

using Value = std::function<double(const v3doff_metrics_scores &)>;

struct Metric {
    const char *name;
    uint32_t bit;
};
constexpr Metric metrics[] = {{"psnr_hvs", V3DOFF_METRIC_PSNR_HVS},
                              {"motion_v2", V3DOFF_METRIC_MOTION},
                              {"vif", V3DOFF_METRIC_VIF},
                              {"psnr", V3DOFF_METRIC_PSNR},
                              {"ssim", V3DOFF_METRIC_SSIM}};

// The value below which this part of all values lies, interpolated between the two nearest.
double percentile(const std::vector<double> &sorted, double part) {
    const double at = part * double(sorted.size() - 1);
    const size_t low = size_t(at), high = std::min(low + 1, sorted.size() - 1);
    if (sorted[low] == sorted[high]) return sorted[low]; // also where both are infinite
    return sorted[low] + (at - double(low)) * (sorted[high] - sorted[low]);
}

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json to_json(const Pooled &pooled) {
    return {{"min", number(pooled.min)},
            {"max", number(pooled.max)},
            {"mean", number(pooled.mean)},
            {"harmonic_mean", number(pooled.harmonic_mean)},
            {"percentile_1", number(pooled.percentile_1)},
            {"percentile_5", number(pooled.percentile_5)},
            {"percentile_95", number(pooled.percentile_95)}};
}

} // namespace

uint32_t metric_bits(const std::vector<std::string> &names) {
    uint32_t bits = 0;
    for (const std::string &name : names) {
        auto found = std::find_if(std::begin(metrics), std::end(metrics),
                                  [&](const Metric &metric) { return name == metric.name; });
        if (found == std::end(metrics))
            throw std::runtime_error(
                fmt::format("--feature {}: not psnr_hvs, motion_v2, vif, psnr or ssim", name));
        bits |= found->bit;
    }
    return bits;
}

std::vector<Series> series_of(const std::vector<v3doff_metrics_scores> &frames, uint32_t bits,
                              unsigned planes) {
    static constexpr const char *plane_names[] = {"y", "cb", "cr"};
    std::vector<Series> all;
    auto add = [&](const std::string &name, const Value &value) {
        Series &series = all.emplace_back();
        series.name = name;
        for (const auto &frame : frames)
            series.values.push_back(value(frame));
    };
    for (unsigned p = 0; p < planes; p++) {
        if (bits & V3DOFF_METRIC_PSNR)
            add(fmt::format("psnr_{}", plane_names[p]), [p](auto &s) { return s.psnr[p]; });
        if (bits & V3DOFF_METRIC_PSNR_HVS)
            add(fmt::format("psnr_hvs_{}", plane_names[p]), [p](auto &s) { return s.psnr_hvs[p]; });
    }
    if (bits & V3DOFF_METRIC_PSNR_HVS) add("psnr_hvs", [](auto &s) { return s.psnr_hvs_combined; });
    if (bits & V3DOFF_METRIC_SSIM) add("ssim", [](auto &s) { return s.ssim; });
    if (bits & V3DOFF_METRIC_MOTION) {
        add("VMAF_integer_feature_motion_v2_sad_score", [](auto &s) { return s.motion; });
        add("VMAF_integer_feature_motion2_v2_score", [](auto &s) { return s.motion2; });
        add("VMAF_integer_feature_motion3_v2_score", [](auto &s) { return s.motion3; });
    }
    if (!(bits & V3DOFF_METRIC_VIF)) return all;
    for (unsigned n = 0; n < 4; n++)
        add(fmt::format("integer_vif_scale{}", n), [n](auto &s) { return s.vif_scale[n]; });
    add("integer_vif", [](auto &s) { return s.vif; });
    add("integer_vif_num", [](auto &s) { return s.vif_num; });
    add("integer_vif_den", [](auto &s) { return s.vif_den; });
    for (unsigned n = 0; n < 4; n++) {
        add(fmt::format("integer_vif_num_scale{}", n), [n](auto &s) { return s.vif_num_scale[n]; });
        add(fmt::format("integer_vif_den_scale{}", n), [n](auto &s) { return s.vif_den_scale[n]; });
    }
    return all;
}

Pooled pool(const std::vector<double> &values) {
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    double sum = 0, inverse = 0;
    for (double value : values) {
        sum += value;
        inverse += 1 / (value + 1); // plus 1 as in libvmaf, because values can be zero
    }
    const double count = double(values.size());
    return {sorted.front(),         sorted.back(),           sum / count,
            count / inverse - 1,    percentile(sorted, .01), percentile(sorted, .05),
            percentile(sorted, .95)};
}

Json to_json(const Report &report) {
    Json frames = Json::array(), pooled = Json::object();
    for (size_t n = 0; n < report.frames; n++) {
        Json values = Json::object();
        for (const Series &series : report.series)
            values[series.name] = number(series.values[n]);
        frames.push_back({{"frameNum", n}, {"metrics", std::move(values)}});
    }
    for (const Series &series : report.series)
        pooled[series.name] = to_json(pool(series.values));
    return {{"version", fmt::format("libv3doff {}.{}.{}", V3DOFF_VERSION_MAJOR,
                                    V3DOFF_VERSION_MINOR, V3DOFF_VERSION_PATCH)},
            {"params",
             {{"reference", report.reference},
              {"distorted", report.distorted},
              {"format", report.format},
              {"device", report.device}}},
            {"fps", report.seconds > 0 ? number(double(report.frames) / report.seconds) : Json()},
            {"time",
             {{"reading_s", report.reading},
              {"copying_s", report.copying},
              {"waiting_s", report.waiting},
              {"bound", report.bound}}},
            {"frames_compared", report.frames},
            {"frames_left_out", report.left_out},
            {"decoder_errors",
             {{"reference", report.errors_reference}, {"distorted", report.errors_distorted}}},
            {"frames", std::move(frames)},
            {"pooled_metrics", std::move(pooled)},
            {"aggregate_metrics", Json::object()}};
}

std::string to_csv(const Report &report) {
    std::string text = "Frame";
    for (const Series &series : report.series)
        text += "," + series.name;
    text += "\n";
    for (size_t n = 0; n < report.frames; n++) {
        text += std::to_string(n);
        for (const Series &series : report.series)
            text += fmt::format(",{}", series.values[n]);
        text += "\n";
    }
    return text;
}

} // namespace tool::score
