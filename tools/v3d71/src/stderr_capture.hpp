// SPDX-License-Identifier: BSD-2-Clause
// Captures stderr, because Mesa prints its full compile statistics only there.
#pragma once

#include <string>

namespace v3doff::v3d71 {

class StderrCapture {
  public:
    StderrCapture();
    ~StderrCapture() { finish(); }
    StderrCapture(const StderrCapture &) = delete;
    StderrCapture &operator=(const StderrCapture &) = delete;

    // Ends the capture and returns the text; a second call returns an empty one.
    std::string finish();

  private:
    int saved_ = -1;
    int file_ = -1;
};

} // namespace v3doff::v3d71
