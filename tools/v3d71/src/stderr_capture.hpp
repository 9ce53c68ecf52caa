// SPDX-License-Identifier: BSD-2-Clause
// Catches what is written to stderr: Mesa hands out its full compile statistics only there.
#pragma once

#include <string>

namespace v3doff::v3d71 {

class StderrCapture {
  public:
    StderrCapture();
    ~StderrCapture() { finish(); }
    StderrCapture(const StderrCapture &) = delete;
    StderrCapture &operator=(const StderrCapture &) = delete;

    // Ends the capture and returns what came; a second call returns an empty text.
    std::string finish();

  private:
    int saved_ = -1;
    int file_ = -1;
};

} // namespace v3doff::v3d71
