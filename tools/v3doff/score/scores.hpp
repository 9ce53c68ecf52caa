// SPDX-License-Identifier: BSD-2-Clause
// What v3doff score writes: names and values of the metrics, pooled values, and the files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "v3doff/metrics.h"

namespace tool::score {

using Json = nlohmann::ordered_json;

struct Series {
    std::string name; // libvmaf's
    std::vector<double> values;
};

// The series of the chosen metrics; chroma if the format has it.
std::vector<Series> series_of(const std::vector<v3doff_metrics_scores> &frames, uint32_t metrics,
                              unsigned planes);

struct Pooled {
    double min, max, mean, harmonic_mean, percentile_1, percentile_5, percentile_95;
};
Pooled pool(const std::vector<double> &values);

struct Report {
    std::string reference, distorted, format, device;
    uint64_t frames = 0, left_out = 0; // pairs, and pictures that only one file has
    uint64_t errors_reference = 0, errors_distorted = 0; // that their decoders reported
    double seconds = 0;
    double reading = 0, copying = 0, waiting = 0; // seconds of them
    std::string bound;                            // what most of the time went into
    std::vector<Series> series;
};

Json to_json(const Report &report);
std::string to_csv(const Report &report);
// A page on its own: a curve over the frames for each series, and the worst frames.
std::string to_html(const Report &report);

// Names as --feature takes them, and their bits. Throws for an unknown one.
uint32_t metric_bits(const std::vector<std::string> &names);

} // namespace tool::score
