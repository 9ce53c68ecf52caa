// SPDX-License-Identifier: BSD-2-Clause
// Whether all calls come from one thread, as far as the last of them tell.
#pragma once

#include <thread>

namespace v3doff {

class OneThread {
  public:
    // Says that this thread calls. True once so many calls in a row came from it; until then, and
    // after another thread's call, false.
    bool call(std::thread::id self) {
        calls_ = self == thread_ ? calls_ + (calls_ < enough) : 1;
        thread_ = self;
        return calls_ == enough;
    }

    static constexpr unsigned enough = 32;

  private:
    std::thread::id thread_;
    unsigned calls_ = 0;
};

} // namespace v3doff
