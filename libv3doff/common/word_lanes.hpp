// SPDX-License-Identifier: BSD-2-Clause
// The lanes of a picture that is recorded as words: a decoder's threads append to them, each to its
// own.
#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "v3doff/v3doff.h"

namespace v3doff {

// A lane has a codec's arrays. take(words) takes what was appended, point(words) points to where
// the next words go, clear() forgets all.
template <typename Lane>
class WordLanes {
  public:
    // Takes what was appended, and has grow(lane) make room for more. Throws INVALID_ARGUMENT if
    // the caller has changed the lane's pointers. If grow() throws, the pointers are good again.
    template <typename Words, typename Grow>
    void make_room(uint32_t number, Words &words, Grow grow) {
        Lane &to = lane(number);
        to.take(words);
        try {
            grow(to);
        } catch (...) {
            to.point(words); // without memory for all arrays, some may have moved
            throw;
        }
        to.point(words);
    }

    template <typename Words>
    void end(uint32_t number, const Words &words) {
        lane(number).take(words);
    }

    void clear() {
        for (auto &lane : lanes_)
            if (lane) lane->clear();
    }

    // visit(number, lane), in the order of the numbers.
    template <typename Visit>
    void each(Visit visit) const {
        for (uint32_t number = 0; number < lanes_.size(); number++)
            if (lanes_[number]) visit(number, *lanes_[number]);
    }

  private:
    Lane &lane(uint32_t number) {
        std::lock_guard lock(mutex_);
        if (!lanes_[number]) lanes_[number] = std::make_unique<Lane>();
        return *lanes_[number];
    }

    std::mutex mutex_; // making a lane
    std::array<std::unique_ptr<Lane>, V3DOFF_LANES> lanes_;
};

} // namespace v3doff
