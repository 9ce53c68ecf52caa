// SPDX-License-Identifier: BSD-2-Clause
// Computes scores from the words that the shaders write.
#pragma once

#include <span>

#include "metrics/frame_plan.hpp"

namespace v3doff::metrics {

// pair: the samples, for the few windows of psnr_hvs that are summed on the CPU.
void score_results(const Config &config, const FramePlan &plan, std::span<const uint32_t> words,
                   const Pair &pair, v3doff_metrics_scores &scores);

} // namespace v3doff::metrics
