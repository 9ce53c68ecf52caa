// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "util/error.hpp"

namespace v3doff::h264 {

// What was appended does not form a picture.
[[noreturn]] inline void bad_words(const char *what) {
    throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("words: ") + what);
}

} // namespace v3doff::h264
