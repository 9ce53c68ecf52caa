// SPDX-License-Identifier: BSD-2-Clause
// Buffers of a work, which are kept from picture to picture and get larger when one needs more.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>

#include "vk/buffer.hpp"

namespace v3doff {

// Sizes come in steps of an eighth to a sixteenth, so that pictures that differ a little do not
// make a new one each. Not of powers of two: drivers clear and map memory that the CPU reads, and
// that was measured to take 0.4 to 0.8 ms of CPU time for each MB.
inline size_t stepped(size_t bytes) {
    const size_t step = std::max(std::bit_ceil(bytes) / 16, size_t(64) << 10);
    return (bytes + step - 1) / step * step;
}

template <typename Make>
void grow(std::unique_ptr<vk::Buffer> &buffer, size_t bytes, Make make) {
    if (buffer && buffer->size() >= bytes) return;
    buffer.reset(); // first: the old one is in nobody's use
    buffer = make(stepped(bytes));
}

} // namespace v3doff
