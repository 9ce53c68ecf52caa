// SPDX-License-Identifier: BSD-2-Clause
// A submit's samples and arena in the device's own memory: where every access of a shader to the
// CPU's memory crosses a bus, passes work on a copy.
#pragma once

#include <array>
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
    const vk::Buffer &samples() const { return *samples_; }
    const vk::Buffer &arena() const { return *arena_; }
    const vk::Buffer &reference(uint32_t i) const { return *references_[i]; }

    // The rows and the arena into it, and the rows into a backup too where one is kept.
    static Dispatch copy_in(const Surface &surface, const Plan &plan, bool keep);
    // The rows back.
    static Dispatch copy_out(const Surface &surface, const Plan &plan);

  private:
    std::unique_ptr<vk::Buffer> samples_, arena_;
    std::array<std::unique_ptr<vk::Buffer>, max_references> references_;
};

} // namespace v3doff
