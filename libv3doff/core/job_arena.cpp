// SPDX-License-Identifier: BSD-2-Clause
#include "core/job_arena.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "vk/device.hpp"

namespace v3doff {
namespace {

constexpr size_t least_bytes = size_t(64) << 10;

} // namespace

JobArena::JobArena(vk::Device *device) : device_(device) {
    direct_ = device && device->facts().has_memory(VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                   VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
}

std::unique_ptr<vk::Buffer> JobArena::make(size_t words) const {
    const size_t bytes = std::bit_ceil(std::max(words * sizeof(uint32_t), least_bytes));
    return vk::Buffer::create(*device_, direct_ ? V3DOFF_MEMORY_HOST_CACHED : V3DOFF_MEMORY_STAGING,
                              bytes);
}

std::span<uint32_t> JobArena::larger(size_t words, std::span<const uint32_t> kept) {
    auto larger = make(words); // the old one stays when this throws; no submit uses it
    larger->begin_cpu_access();
    std::copy(kept.begin(), kept.end(), reinterpret_cast<uint32_t *>(larger->data()));
    buffer_ = std::move(larger);
    return {reinterpret_cast<uint32_t *>(buffer_->data()), buffer_->size() / sizeof(uint32_t)};
}

void JobArena::begin() const {
    if (direct_ && buffer_) buffer_->begin_cpu_access();
}

void JobArena::finish(Plan &plan) {
    const size_t words = std::max(plan.arena_words(), size_t(1));
    if (direct_) {
        plan.arena.reserve(words);
    } else {
        if (!buffer_ || buffer_->size() < words * sizeof(uint32_t)) {
            buffer_.reset(); // first: it is in nobody's use
            buffer_ = make(words);
        }
        buffer_->begin_cpu_access();
        std::memcpy(buffer_->data(), plan.arena.data(), plan.arena.size() * sizeof(uint32_t));
    }
    buffer_->end_cpu_access();
}

} // namespace v3doff
