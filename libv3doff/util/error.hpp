// SPDX-License-Identifier: BSD-2-Clause
// The one exception of the library: a result code and the line for the log. api/guard.hpp catches
// it and returns the code, so it never leaves the library.
#pragma once

#include <stdexcept>
#include <string>

#include "v3doff/v3doff.h"

namespace v3doff {

class Error : public std::runtime_error {
  public:
    Error(v3doff_result code, const std::string &text) : std::runtime_error(text), code_(code) {}
    v3doff_result code() const { return code_; }

  private:
    v3doff_result code_;
};

[[noreturn]] inline void refuse(const std::string &text) {
    throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, text);
}

} // namespace v3doff
