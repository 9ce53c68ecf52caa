// SPDX-License-Identifier: BSD-2-Clause
// Whether one thread makes all pictures, and each once the one before is done, as far as the last
// of them tell.
#pragma once

#include <algorithm>
#include <thread>

namespace v3doff {

class OneByOne {
  public:
    // Said when a picture is opened; whether another one is still under way then. A decoder that
    // waits for pictures only now and then, because it shows them in another order, still counts
    // as one that waits.
    void open(bool under_way) {
        overlaps_ = under_way ? std::min(overlaps_ + 1, 2 * enough)
                              : overlaps_ - std::min(overlaps_, enough / 4);
    }

    struct Answer {
        bool one_thread = false; // so many in a row came from this one
        bool waits = false;      // and it has waited for its pictures
    };
    // Said with each submit. Until there are so many, and after another thread's call, neither.
    Answer submit(std::thread::id self) {
        calls_ = self == thread_ ? calls_ + (calls_ < enough) : 1;
        thread_ = self;
        return {calls_ == enough, calls_ == enough && overlaps_ < enough};
    }

    static constexpr unsigned enough = 32;

  private:
    std::thread::id thread_;
    unsigned calls_ = 0, overlaps_ = 0;
};

} // namespace v3doff
