// SPDX-License-Identifier: BSD-2-Clause
// Two videos through a metrics session.
#pragma once

#include <functional>
#include <vector>

#include "score/video.hpp"
#include "session.hpp"
#include "v3doff/metrics.h"

namespace tool::score {

// Where the calling thread's time went, in seconds.
struct Times {
    double reading = 0; // files: reading, and decoding if they are compressed
    double copying = 0; // into the session; without a GPU, all processing
    double waiting = 0; // for scores
};

struct Outcome {
    std::vector<v3doff_metrics_scores> frames;
    Times times;
    uint64_t left_out_reference = 0, left_out_distorted = 0; // pictures that only one file has
};

// progress(done) is called after every pair.
Outcome run(v3doff_device *device, uint32_t metrics, Video &reference, Video &distorted,
            const std::function<void(uint64_t)> &progress);

} // namespace tool::score
