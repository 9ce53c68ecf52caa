// SPDX-License-Identifier: BSD-2-Clause
// The coefficients of a picture that was recorded as words: they go to the device as the decoder
// appended them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "picture/arena_words.hpp"

namespace v3doff {

// Those of all lanes, one lane after the other.
class LaneCoefficients {
  public:
    void clear() {
        parts_.clear();
        size_ = 0;
    }
    // They stay where they are until clear().
    void add(std::span<const uint32_t> lane) {
        parts_.push_back({size_, lane});
        size_ += uint32_t(lane.size());
    }
    uint32_t size() const { return size_; }
    // All must be of one lane.
    std::span<const uint32_t> at(uint32_t first, uint32_t count) const {
        size_t part = parts_.size() - 1;
        while (first < parts_[part].first)
            part--;
        return parts_[part].words.subspan(first - parts_[part].first, count);
    }
    void append_to(ArenaWords &arena) {
        arena.align(4);
        word_ = uint32_t(arena.size());
        for (const Part &part : parts_)
            arena.append(part.words.data(), part.words.size());
    }
    uint32_t word() const { return word_; } // the first one's in the arena, a multiple of 4

  private:
    struct Part {
        uint32_t first;
        std::span<const uint32_t> words;
    };
    std::vector<Part> parts_;
    uint32_t size_ = 0, word_ = 0;
};

} // namespace v3doff
