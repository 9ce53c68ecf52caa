// SPDX-License-Identifier: BSD-2-Clause
// What the threads of a decoder record in, each in a lane of its own.
#pragma once

#include <array>
#include <memory>

#include "picture/plan.hpp"
#include "v3doff/v3doff.h"

namespace v3doff {

template <typename Lane>
class Lanes {
  public:
    // A lane is made on first use, by the thread that it belongs to.
    Lane &make(uint32_t number) {
        auto &lane = lanes_[number];
        if (!lane) lane = std::make_unique<Lane>();
        return *lane;
    }
    Lane *find(uint32_t number) const { return lanes_[number].get(); }
    // Visits those that there are, in the order of their numbers.
    template <typename Visit>
    void each(Visit visit) const {
        for (const auto &lane : lanes_)
            if (lane) visit(*lane);
    }

  private:
    std::array<std::unique_ptr<Lane>, V3DOFF_LANES> lanes_;
};

// The rows of each plane that a lane's records change.
struct LaneRows {
    std::array<RowRange, max_planes> plane;

    void clear() { plane.fill({}); }
    void add_to(Plan &plan) const {
        for (unsigned p = 0; p < max_planes; p++)
            if (!plane[p].empty()) plan.rows[p].add(plane[p].first, plane[p].end);
    }
};

} // namespace v3doff
