// SPDX-License-Identifier: BSD-2-Clause
// The memory in which a work's shaders find what its plan has for them.
#pragma once

#include <memory>

#include "picture/plan.hpp"
#include "picture/work_supply.hpp"
#include "vk/buffer.hpp"

namespace v3doff {

class WorkArena final : private ArenaWords::Source {
  public:
    WorkArena(vk::Device *device, WorkSupply &supply);

    // For the plan; null where the CPU would write uncached memory, which is then filled in order.
    ArenaWords::Source *source() { return direct_ ? this : nullptr; }
    void begin() const;
    // Afterwards the buffer holds the plan's words, and has the room that the plan reserves.
    void finish(Plan &plan);
    const vk::Buffer &buffer() const { return *buffer_; }

  private:
    std::span<uint32_t> larger(size_t words, std::span<const uint32_t> kept) override;
    std::unique_ptr<vk::Buffer> make(size_t bytes);

    vk::Device *device_;
    WorkSupply &supply_;
    bool direct_ = false;
    std::unique_ptr<vk::Buffer> buffer_;
};

} // namespace v3doff
