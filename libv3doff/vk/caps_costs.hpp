// SPDX-License-Identifier: BSD-2-Clause
// Figures of the smallest device that the library is written for, V3D 7.1 of the Raspberry Pi 5.
// Stages size their dispatches by them. On a larger device such dispatches are only shorter.
#pragma once

#include <cstdint>

namespace v3doff::vk {

// What its 12 QPUs issue. The driver does not interrupt a dispatch, and the desktop waits for it,
// so stages cut dispatches of more than a millisecond or two. The costs beside the stages' kernels
// are also instructions, as the device's compiler (Mesa 25.0.7) counts them.
inline constexpr uint32_t instructions_per_ms = 2880000;

// Time of a small dispatch before its first instruction.
inline constexpr uint32_t dispatch_start_us = 35;

// It has room for 24 vectors of 16 invocations. This many of equal length keep it evenly busy.
inline constexpr uint32_t balanced_vectors = 40;

} // namespace v3doff::vk
