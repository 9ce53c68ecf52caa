// SPDX-License-Identifier: BSD-2-Clause
// Data that the works of a pool share.
#pragma once

#include <atomic>

#include "picture/backup.hpp"

namespace v3doff {

struct WorkSupply {
    // The size of the largest arena so far. A new work's arena begins with it. Growing in steps
    // would allocate memory of the driver at each step.
    std::atomic<size_t> arena_bytes = 0;
    Backups backups;
};

} // namespace v3doff
