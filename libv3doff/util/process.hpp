// SPDX-License-Identifier: BSD-2-Clause
// Forked processes. A child has its parent's memory, but not the threads that work on it, and it
// shares the parent's devices. So a child of a process that has used a device leaves everything of
// the library alone: it calls no driver, waits for nothing, locks no mutex and destroys nothing. A
// mutex may be locked for ever, because the thread that held it is the parent's.
#pragma once

#include <atomic>

namespace v3doff::process {

// Before the process uses a device for the first time. All children that are forked later are
// marked. Throws OUT_OF_MEMORY if that is not possible.
void uses_device();

namespace detail {
extern std::atomic<bool> is_forked;
}
// Whether this is such a child. May be called anywhere, also in signal handlers.
inline bool forked() {
    return detail::is_forked.load(std::memory_order_relaxed);
}

} // namespace v3doff::process
