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

    // Where a plan's words get their memory; null: from the heap, as the buffer's would be
    // uncached. Such memory is filled at the end, in order.
    ArenaWords::Source *source() { return direct_ ? this : nullptr; }
    // Gives the words memory, and removes what is in them.
    void begin(ArenaWords &words);
    // After this the buffer has the plan's words, and the room that the plan reserves.
    void finish(Plan &plan);
    // Nobody needs the words or the buffer any more.
    void release(ArenaWords &words) noexcept;
    const vk::Buffer &buffer() const { return *buffer_; }

  private:
    std::span<uint32_t> larger(size_t words, std::span<const uint32_t> kept) override;
    std::span<uint32_t> words() const; // of the buffer
    std::unique_ptr<vk::Buffer> take(size_t bytes);
    std::unique_ptr<vk::Buffer> make(size_t bytes);

    vk::Device *device_;
    WorkSupply &supply_;
    bool direct_ = false;
    std::unique_ptr<vk::Buffer> buffer_; // from begin() or finish() until release()
};

} // namespace v3doff
