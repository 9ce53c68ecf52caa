// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "compile.hpp"
#include "options.hpp"

namespace v3doff::v3d71 {

// Submits the dispatches that the options want of a compiled module on buffers of 1 MiB, waits for
// them through a fence and through a timeline semaphore, and prints how many bytes changed.
void smoke_dispatch(const VulkanDevice &device, const Module &module, const Compiled &compiled,
                    const Options &options);

} // namespace v3doff::v3d71
