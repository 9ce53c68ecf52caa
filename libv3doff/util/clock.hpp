// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <cstdint>

namespace v3doff {

inline uint64_t steady_ns() {
    return uint64_t(std::chrono::steady_clock::now().time_since_epoch() /
                    std::chrono::nanoseconds(1));
}

} // namespace v3doff
