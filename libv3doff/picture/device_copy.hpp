// SPDX-License-Identifier: BSD-2-Clause
// On devices where every access of a shader to the CPU's memory crosses a bus, passes work on
// copies in the device's own memory: a copy of the submit's words, and of its samples, which are
// copied back.
#pragma once

#include "picture/surface.hpp"

namespace v3doff::device_copy {

// The shaders of the two copies.
std::vector<uint32_t> shaders();

// Whether passes of this device can and should work on a copy of the surface.
bool wanted(const vk::Device &device, const Surface &surface);
// Makes memory for the plan's samples.
void make(vk::Device &device, Surface &surface, const Plan &plan);

// Copies the rows and the arena to the device. With `keep`, also copies the rows to a backup.
Dispatch copy_in(const Surface &surface, const Plan &plan, bool keep);
// Copies the rows back.
Dispatch copy_out(const Surface &surface, const Plan &plan);

} // namespace v3doff::device_copy
