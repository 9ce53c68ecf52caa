// SPDX-License-Identifier: BSD-2-Clause
// On devices where every access of a shader to the CPU's memory crosses a bus, passes work on
// copies in the device's own memory: a copy of the submit's words, and of its samples, which are
// copied back.
#pragma once

#include "picture/surface.hpp"

namespace v3doff {

class DeviceCopy {
  public:
    // The shaders of the two copies.
    static std::vector<uint32_t> shaders();

    // Makes memory for the plan's samples.
    static void make(vk::Device &device, const Surface &surface, const Plan &plan);

    // Copies the rows and the arena to the device. With `keep`, also copies the rows to a backup.
    static Dispatch copy_in(const Surface &surface, const Plan &plan, bool keep);
    // Copies the rows back.
    static Dispatch copy_out(const Surface &surface, const Plan &plan);
};

} // namespace v3doff
