// SPDX-License-Identifier: BSD-2-Clause
// Threads of the library that open or use a device. Nobody waits for them but exit(): a program may
// end without closing its decoders, and the driver must not end while such a thread calls it.
#pragma once

#include <functional>

namespace v3doff::background {

// Runs the work on a thread of this name. The thread also destroys the work. Throws OUT_OF_MEMORY.
void run(const char *name, std::function<void()> work);

// Called by such a thread when it has opened a device. exit() calls last what was registered first.
// The driver has registered its own handlers, and exit() must wait for the thread before them.
void driver_is_open();

// The process ends: the thread should skip work that takes long.
bool process_ends();

} // namespace v3doff::background
