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
    void clear();
    // They stay where they are until clear().
    void add(std::span<const uint32_t> lane);
    uint32_t size() const { return size_; }
    std::span<const uint32_t> at(uint32_t first, uint32_t count) const; // all of one lane
    void append_to(ArenaWords &arena);
    uint32_t word() const { return word_; } // of the first one in the arena, a multiple of 4

  private:
    struct Part {
        uint32_t first;
        std::span<const uint32_t> words;
    };
    std::vector<Part> parts_;
    uint32_t size_ = 0, word_ = 0;
};

} // namespace v3doff
