// SPDX-License-Identifier: BSD-2-Clause
#include "util/process.hpp"

#include <pthread.h>

#include "util/error.hpp"

namespace v3doff::process {

std::atomic<bool> detail::is_forked{false};

// Without a lock: a child may be forked while a thread is here. If two threads come at once, the
// handler is called twice, which does no harm.
void uses_device() {
    static std::atomic<bool> registered{false};
    if (registered) return;
    const int problem = pthread_atfork(nullptr, nullptr, [] { detail::is_forked = true; });
    if (problem) throw Error(V3DOFF_ERROR_OUT_OF_MEMORY, "no memory for a handler of fork()");
    registered = true;
}

} // namespace v3doff::process
