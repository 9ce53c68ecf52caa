// SPDX-License-Identifier: BSD-2-Clause
// One plane of one picture as the quality metrics read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace v3doff::metrics {

struct Plane {
    const std::byte *data = nullptr;
    ptrdiff_t stride = 0; // bytes
    uint32_t width = 0, height = 0;
    uint32_t depth = 8; // above 8 a sample is a 16-bit little-endian word

    uint32_t sample(uint32_t x, uint32_t y) const {
        const std::byte *row = data + ptrdiff_t(y) * stride;
        if (depth == 8) return uint32_t(row[x]);
        uint16_t value;
        std::memcpy(&value, row + 2 * size_t(x), sizeof value);
        return value;
    }
};

// Reflection at a border without repeating the border sample; index is at most size - 1 outside.
inline uint32_t reflect(int64_t index, uint32_t size) {
    if (index < 0) return uint32_t(-index);
    if (index >= int64_t(size)) return uint32_t(2 * int64_t(size) - index - 2);
    return uint32_t(index);
}

} // namespace v3doff::metrics
