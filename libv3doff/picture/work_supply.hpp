// SPDX-License-Identifier: BSD-2-Clause
// What the works of a pool share.
#pragma once

#include <atomic>

#include "picture/backup.hpp"

namespace v3doff {

struct WorkSupply {
    // How large arenas have become: the one of a new work begins with that, instead of getting
    // there in steps, each of them memory of the driver's.
    std::atomic<size_t> arena_bytes = 0;
    Backups backups;
};

} // namespace v3doff
