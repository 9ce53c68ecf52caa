// SPDX-License-Identifier: BSD-2-Clause
// A submit's words in the device's own memory, and the copies of its samples there and back: where
// every access of a shader to the CPU's memory crosses a bus, passes work on a copy.
#pragma once

#include <memory>

#include "picture/surface.hpp"
#include "vk/buffer.hpp"

namespace v3doff {

class DeviceCopy {
  public:
    // Of the two copies.
    static std::vector<uint32_t> shaders();

    // Room for what the plan works on.
    void make(vk::Device &device, const Surface &surface, const vk::Buffer &arena,
              const Plan &plan);
    const vk::Buffer &arena() const { return *arena_; }

    // The rows and the arena into it, and the rows into a backup too where one is kept.
    static Dispatch copy_in(const Surface &surface, const Plan &plan, bool keep);
    // The rows back.
    static Dispatch copy_out(const Surface &surface, const Plan &plan);

  private:
    std::unique_ptr<vk::Buffer> arena_;
};

} // namespace v3doff
