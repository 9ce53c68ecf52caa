// SPDX-License-Identifier: BSD-2-Clause
// A submit's samples and arena in the device's own memory: where every access of a shader to the
// CPU's memory crosses a bus, passes work on a copy.
#pragma once

#include <array>
#include <memory>

#include "core/picture_memory.hpp"
#include "vk/buffer.hpp"

namespace v3doff {

class LocalMemory {
  public:
    // Whether the device's passes should work on a copy, and can on one of this picture.
    static bool suits(const vk::Device &device, const PictureMemory &memory);

    // Of the two copies.
    static std::vector<uint32_t> shaders();

    // Room for what the plan works on.
    void make(vk::Device &device, const PictureMemory &memory, const vk::Buffer &arena,
              const Plan &plan);
    const vk::Buffer &samples() const { return *samples_; }
    const vk::Buffer &arena() const { return *arena_; }
    const vk::Buffer &reference(uint32_t i) const { return *references_[i]; }

    // The rows and the arena into it, and the rows into a backup too where one is kept.
    static Dispatch copy_in(const PictureMemory &memory, const Plan &plan, bool keep);
    // The rows back. For a thread that makes pictures one by one only those lines of its cache that
    // have changed: the others are still there when it predicts from them. Where other threads
    // predict from them, or it goes on meanwhile, that costs CPU time instead
    // (docs/journal, "Lines that do not change").
    static Dispatch copy_out(const PictureMemory &memory, const Plan &plan, bool one_by_one);

  private:
    std::unique_ptr<vk::Buffer> samples_, arena_;
    std::array<std::unique_ptr<vk::Buffer>, max_references> references_;
};

} // namespace v3doff
