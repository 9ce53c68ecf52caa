// SPDX-License-Identifier: BSD-2-Clause
// What each target defines, with the name that libFuzzer wants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

// Something that has to be true of every input.
inline void must(bool condition, const char *what) {
    if (condition) return;
    std::fprintf(stderr, "not true: %s\n", what);
    std::abort();
}
