// SPDX-License-Identifier: BSD-2-Clause
// The dispatches of one frame, made once for a session. They are plain data, without Vulkan, so
// that they can be tested without a device.
//
// Steps of one phase do not depend on each other; each phase needs those before it. Large pictures
// go through the scratch buffer in bands, so that it stays within a device's buffer range.
#pragma once

#include <array>
#include <vector>

#include "metrics/frame.hpp"
#include "metrics/vif.hpp"
#include "picture/plan.hpp"

namespace v3doff::metrics {

// The planes that a dispatch reads besides the scratch buffer.
struct Sources {
    uint8_t plane = 0;
    bool previous = false; // the previous reference's luma, instead of the distorted plane
    bool operator==(const Sources &) const = default;
};

struct Step {
    Dispatch dispatch;
    Sources sources;
};

struct Phase {
    std::vector<Step> steps;
};

struct ResultRange {
    uint32_t first = 0, count = 0; // words
};

struct FramePlan {
    std::vector<Phase> phases;
    uint32_t result_words = 0;                 // at the start of the scratch buffer
    uint32_t table_first = 0;                  // then the tables (frame_tables)
    size_t scratch_words = 0;                  // in all
    std::array<uint32_t, max_planes> stride{}; // words of a row of a plane
    std::array<ResultRange, max_planes> psnr, psnr_hvs;
    ResultRange ssim, motion;
    std::array<std::vector<ResultRange>, vif_scales> vif; // one range for each band
};

// first_frame: there is no previous picture. most_words: the largest scratch buffer that the device
// allows. Throws UNSUPPORTED if that is too small. discrete: uses the shaders for discrete GPUs
// (shaders/meson.build).
FramePlan plan_frame(const Config &config, bool first_frame, size_t most_words,
                     bool discrete = false);

// The constant words behind the results.
std::vector<uint32_t> frame_tables();

} // namespace v3doff::metrics
