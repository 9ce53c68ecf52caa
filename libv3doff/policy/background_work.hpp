// SPDX-License-Identifier: BSD-2-Clause
// A thread of the library that uses an open device. A program may end without closing its decoders,
// and the driver must not end while such a thread calls it. So exit() waits for these threads.
#pragma once

namespace v3doff {

class BackgroundWork {
  public:
    BackgroundWork(); // once the device is open
    ~BackgroundWork();
    BackgroundWork(const BackgroundWork &) = delete;
    BackgroundWork &operator=(const BackgroundWork &) = delete;

    // The process ends: the thread should skip work that takes long.
    static bool process_ends();
};

} // namespace v3doff
