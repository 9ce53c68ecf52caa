// SPDX-License-Identifier: BSD-2-Clause
// Single edges of H.264 deblocking, laid out as lines in a small picture of their own. A call of a
// DSP table that cannot wait for a picture does this.
#pragma once

#include <algorithm>
#include <array>

#include "picture/stage.hpp"
#include "records/h264_filter_edge.h"

namespace v3doff::h264 {

// An edge as a call of FFmpeg's functions gives it: four groups of lines.
struct EdgeCall {
    int alpha = 0, beta = 0; // for 8-bit samples; cut_threshold()
    int8_t tc0[4] = {};      // as the standard has it, also for chroma; negative: not filtered
    uint8_t lines_a_group = 4;
    bool chroma_style = false, strong = false;

    unsigned lines() const { return 4u * lines_a_group; }
};

// No two samples differ by more, so this loses nothing.
inline constexpr int cut_threshold(int value) {
    return std::clamp(value, 0, 1 << 16);
}

// Filters on the CPU, in plain loops. at: the first sample behind the edge on the first line;
// across and along in bytes.
void filter_call(std::byte *at, ptrdiff_t across, ptrdiff_t along, const EdgeCall &call,
                 unsigned bit_depth);

class EdgeLines final : public Stage {
  public:
    // A picture has one edge.
    void record(const EdgeCall &call) { call_ = call, given_ = true; }

    uint64_t records() const override { return given_; }
    void clear() override { given_ = false; }
    void plan(const SampleMap &map, Plan &plan) override;
    void run_cpu(const PictureView &picture) override;

  private:
    EdgeCall call_;
    bool given_ = false;
};

} // namespace v3doff::h264
