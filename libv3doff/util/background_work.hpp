// SPDX-License-Identifier: BSD-2-Clause
// Threads of the library that open or use a device. Nobody waits for them but exit()
// (util/process).
#pragma once

#include <functional>

namespace v3doff::background {

// Runs the work on a thread of this name. The thread also destroys the work. Throws OUT_OF_MEMORY.
void run(const char *name, std::function<void()> work);

} // namespace v3doff::background
