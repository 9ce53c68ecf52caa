// SPDX-License-Identifier: BSD-2-Clause
#include "picture/work_arena.hpp"

#include <algorithm>
#include <cstring>

#include "picture/grow.hpp"
#include "vk/device.hpp"

namespace v3doff {

WorkArena::WorkArena(vk::Device *device, WorkSupply &supply) : device_(device), supply_(supply) {
    direct_ = device && device->facts().has_cached_memory();
}

std::unique_ptr<vk::Buffer> WorkArena::make(size_t bytes) {
    std::atomic<size_t> &usual = supply_.arena_bytes;
    if (direct_) bytes = std::max(bytes, usual.load(std::memory_order_relaxed));
    auto made = vk::Buffer::create(
        *device_, direct_ ? V3DOFF_MEMORY_HOST_CACHED : V3DOFF_MEMORY_STAGING, bytes);
    usual.store(bytes, std::memory_order_relaxed); // if two calls race, the next one corrects it
    return made;
}

std::span<uint32_t> WorkArena::words() const {
    return {reinterpret_cast<uint32_t *>(buffer_->data()), buffer_->size() / sizeof(uint32_t)};
}

std::span<uint32_t> WorkArena::larger(size_t words, std::span<const uint32_t> kept) {
    // If this throws, the old buffer stays. No submit uses it.
    auto larger = make(stepped(words * sizeof(uint32_t)));
    larger->begin_cpu_access();
    std::copy(kept.begin(), kept.end(), reinterpret_cast<uint32_t *>(larger->data()));
    buffer_ = std::move(larger);
    return this->words();
}

std::unique_ptr<vk::Buffer> WorkArena::take(size_t bytes) {
    return supply_.arenas.take(bytes, [](const auto &buffer) { return buffer->size(); });
}

void WorkArena::begin(ArenaWords &words) {
    if (!direct_) {
        if (!words.capacity())
            words.take_memory(supply_.words.take(
                SIZE_MAX, [](const ArenaWords &memory) { return memory.capacity(); }));
    } else if (buffer_ || (buffer_ = take(supply_.arena_bytes))) {
        buffer_->begin_cpu_access();
        words.use(this->words());
    }
    words.clear();
}

void WorkArena::finish(Plan &plan) {
    const size_t words = std::max(plan.arena_words(), size_t(1));
    if (direct_) {
        plan.arena.reserve(words);
    } else {
        if (!buffer_) buffer_ = take(words * sizeof(uint32_t));
        grow(buffer_, words * sizeof(uint32_t), [this](size_t bytes) { return make(bytes); });
        buffer_->begin_cpu_access();
        std::memcpy(buffer_->data(), plan.arena.data(), plan.arena.size() * sizeof(uint32_t));
        supply_.words.give(plan.arena.give_memory());
    }
    buffer_->end_cpu_access();
}

void WorkArena::release(ArenaWords &words) noexcept {
    ArenaWords memory = words.give_memory();
    if (!direct_ && memory.capacity()) supply_.words.give(std::move(memory));
    if (buffer_) supply_.arenas.give(std::move(buffer_));
}

} // namespace v3doff
