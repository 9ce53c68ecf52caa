// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>

#include "compile.hpp"

namespace v3doff::v3d71 {

// Submits one dispatch of a compiled module on buffers of 1 MiB, waits for it through a fence and
// through a timeline semaphore, and prints how many bytes changed.
void smoke_dispatch(const VulkanDevice &device, const Module &module, const Compiled &compiled,
                    const std::array<uint32_t, 3> &groups);

} // namespace v3doff::v3d71
