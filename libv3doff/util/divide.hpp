// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace v3doff {

constexpr uint32_t divide_up(uint32_t value, uint32_t by) {
    return (value + by - 1) / by;
}

} // namespace v3doff
