// SPDX-License-Identifier: BSD-2-Clause
// Single edges of the VP9 loop filter, laid out as lines in a small picture of their own. A call of
// a DSP table that cannot wait for a picture does this. Limits may have any value, even values that
// no VP9 picture has, because FFmpeg's checkasm uses these.
#pragma once

#include <array>

#include "picture/stage.hpp"
#include "records/vp9_filter_edge.h"

namespace v3doff::vp9 {

inline constexpr unsigned most_edge_lines = 16;

// A limit of an edge, cut to the range that makes a difference for 12-bit samples.
inline constexpr int cut_limit(int value) {
    return value < -1 ? -1 : value > 16383 ? 16383 : value;
}

class Edge final : public Stage {
  public:
    // Adds 8 lines below the present ones.
    void record(unsigned size, int e, int i, int h);

    uint64_t records() const override { return count_ / 8; }
    void clear() override { count_ = 0; }
    void plan(const SampleMap &map, Plan &plan) override;
    void run_cpu(const PictureView &picture) override;

  private:
    std::array<EdgeLine, most_edge_lines> lines_;
    unsigned count_ = 0;
};

} // namespace v3doff::vp9
