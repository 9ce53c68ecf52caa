// SPDX-License-Identifier: BSD-2-Clause
// The memory from which a work's shaders read the plan's words.
#pragma once

#include <memory>

#include "picture/plan.hpp"
#include "picture/work_supply.hpp"
#include "vk/buffer.hpp"

namespace v3doff {

class WorkArena final : private ArenaWords::Source {
  public:
    WorkArena(vk::Device *device, WorkSupply &supply);

    // Memory for the plan's words; null if it would be uncached. Such memory is filled later, in
    // order.
    ArenaWords::Source *source() { return direct_ ? this : nullptr; }
    void begin() const;
    // After this the buffer has the plan's words, and the room that the plan reserves.
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
