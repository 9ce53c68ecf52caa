// SPDX-License-Identifier: BSD-2-Clause
// A thread of the library that is busy with an open device. A program may end without closing its
// decoders, and its driver must not end while such a thread is in it: exit() waits for them.
#pragma once

namespace v3doff {

class BackgroundWork {
  public:
    BackgroundWork(); // once the device is open
    ~BackgroundWork();
    BackgroundWork(const BackgroundWork &) = delete;
    BackgroundWork &operator=(const BackgroundWork &) = delete;

    // Then there is no use in what takes long.
    static bool process_ends();
};

} // namespace v3doff
