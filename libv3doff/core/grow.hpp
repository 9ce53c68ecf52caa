// SPDX-License-Identifier: BSD-2-Clause
// Buffers of a job, which are kept from picture to picture and get larger when one needs more.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>

#include "vk/buffer.hpp"

namespace v3doff {

// With room, so that pictures that differ a little do not make a new one each.
inline size_t roomy(size_t bytes) {
    return std::bit_ceil(std::max(bytes, size_t(64) << 10));
}

template <typename Make>
void grow(std::unique_ptr<vk::Buffer> &buffer, size_t bytes, Make make) {
    if (buffer && buffer->size() >= bytes) return;
    buffer.reset(); // first: the old one is in nobody's use
    buffer = make(roomy(bytes));
}

} // namespace v3doff
