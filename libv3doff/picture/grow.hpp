// SPDX-License-Identifier: BSD-2-Clause
// Buffers of a work. They are kept from picture to picture and grow if a picture needs more.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>

#include "vk/buffer.hpp"

namespace v3doff {

// Sizes are rounded up by a sixteenth to an eighth, so that pictures of slightly different size use
// the same buffer. Powers of two would be too large: drivers clear and map memory that the CPU
// reads, which took 0.4 to 0.8 ms of CPU time for each MB when it was measured.
inline size_t stepped(size_t bytes) {
    const size_t step = std::max(std::bit_ceil(bytes) / 16, size_t(64) << 10);
    return (bytes + step - 1) / step * step;
}

template <typename Make>
void grow(std::unique_ptr<vk::Buffer> &buffer, size_t bytes, Make make) {
    if (buffer && buffer->size() >= bytes) return;
    buffer.reset(); // before the new one is made: nothing uses the old one
    buffer = make(stepped(bytes));
}

} // namespace v3doff
