// SPDX-License-Identifier: BSD-2-Clause
// Keys of V3DOFF_DEBUG that say how the device is used.
#pragma once

#include "util/debug.hpp"

namespace v3doff::debug {

inline constexpr Key local_memory{"local_memory", {"off", "on"}};
inline constexpr Key piece_bytes{"piece_bytes", {}};
inline constexpr Key self_test{"self_test", {"off", "on"}};
inline constexpr Key uncached_reads{"uncached_reads", {"off", "on"}};

} // namespace v3doff::debug
