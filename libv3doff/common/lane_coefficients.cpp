// SPDX-License-Identifier: BSD-2-Clause
#include "common/lane_coefficients.hpp"

namespace v3doff {

void LaneCoefficients::clear() {
    parts_.clear();
    size_ = 0;
}

void LaneCoefficients::add(std::span<const uint32_t> lane) {
    parts_.push_back({size_, lane});
    size_ += uint32_t(lane.size());
}

std::span<const uint32_t> LaneCoefficients::at(uint32_t first, uint32_t count) const {
    size_t part = parts_.size() - 1;
    while (first < parts_[part].first)
        part--;
    return parts_[part].words.subspan(first - parts_[part].first, count);
}

void LaneCoefficients::append_to(ArenaWords &arena) {
    arena.align(4);
    word_ = uint32_t(arena.size());
    for (const Part &part : parts_)
        arena.append(part.words.data(), part.words.size());
}

} // namespace v3doff
