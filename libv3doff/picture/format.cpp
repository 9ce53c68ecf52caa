// SPDX-License-Identifier: BSD-2-Clause
#include "picture/format.hpp"

#include <algorithm>
#include <cstdint>

#include "util/error.hpp"

namespace v3doff {
namespace {

uint64_t align(uint64_t value, uint64_t to) {
    return (value + to - 1) / to * to;
}

} // namespace

PictureLayout lay_out(const PictureFormat &format, const PlaneStrides &strides) {
    PictureLayout layout;
    layout.format = format;
    const auto luma_stride = size_t(align(align(format.width, 64) * format.sample_bytes(), 128));
    for (unsigned p = 0; p < format.planes(); p++) {
        PlaneLayout &plane = layout.plane[p];
        plane.width = format.plane_width(p);
        plane.height = format.plane_height(p);
        plane.padded_width = uint32_t(align(format.width, 64) >> format.shift_x(p));
        plane.padded_height = uint32_t(align(format.height, 64) >> format.shift_y(p));
        plane.stride = strides[p] ? strides[p] : luma_stride >> format.shift_x(p);
        plane.padded_width =
            std::min(plane.padded_width, uint32_t(plane.stride / format.sample_bytes()));
        plane.offset = layout.bytes;
        const uint64_t rows = (align(format.height, 64) + 2) >> format.shift_y(p);
        const uint64_t end = layout.bytes + align(rows * plane.stride + 64, 256);
        if (end > SIZE_MAX / 2) // a pool of a 32-bit process may have such strides
            throw Error(V3DOFF_ERROR_OUT_OF_MEMORY, "a picture is larger than an address space");
        layout.bytes = size_t(end);
    }
    return layout;
}

} // namespace v3doff
