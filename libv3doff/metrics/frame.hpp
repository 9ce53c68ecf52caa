// SPDX-License-Identifier: BSD-2-Clause
// A pair of pictures and what is computed from it, whether on the CPU or on the GPU.
#pragma once

#include "metrics/vif.hpp"
#include "picture/format.hpp"
#include "v3doff/metrics.h"

namespace v3doff::metrics {

struct Config {
    PictureFormat format;
    uint32_t metrics = 0; // V3DOFF_METRIC_*

    bool has(uint32_t metric) const { return (metrics & metric) != 0; }
    // Planes that some metric reads.
    unsigned planes() const {
        return has(V3DOFF_METRIC_PSNR | V3DOFF_METRIC_PSNR_HVS) ? format.planes() : 1;
    }
};

struct Pair {
    Plane reference[max_planes], distorted[max_planes];
    Plane previous; // the luma plane of the previous reference; data is null for the first
};

// Fills the metrics' members; the plain reference.
void score_on_cpu(const Config &config, const Pair &pair, v3doff_metrics_scores &scores);

void set_vif(const VifScore &vif, v3doff_metrics_scores &scores);
// Sets psnr_hvs from the float sums of the planes' terms.
void set_psnr_hvs(const Config &config, const Pair &pair, const float (&sums)[max_planes],
                  v3doff_metrics_scores &scores);

} // namespace v3doff::metrics
