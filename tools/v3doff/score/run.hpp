// SPDX-License-Identifier: BSD-2-Clause
// Two videos through a metrics session.
#pragma once

#include <functional>
#include <vector>

#include "score/video.hpp"
#include "session.hpp"
#include "v3doff/metrics.h"

namespace tool::score {

struct Outcome {
    std::vector<v3doff_metrics_scores> frames;
    uint64_t left_out_reference = 0, left_out_distorted = 0; // pictures that only one file has
};

// progress(done) is called after every pair.
Outcome run(v3doff_device *device, uint32_t metrics, Video &reference, Video &distorted,
            const std::function<void(uint64_t)> &progress);

} // namespace tool::score
