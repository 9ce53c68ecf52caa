// SPDX-License-Identifier: BSD-2-Clause
#include "picture/plane_padding.hpp"

#include <algorithm>

namespace v3doff {
namespace {

uintptr_t first_byte(const PlaneView &plane) {
    return reinterpret_cast<uintptr_t>(plane.data);
}

// Where these samples of the plane end.
uintptr_t end_of(const PlaneView &plane, uint32_t width, uint32_t height, size_t sample_bytes) {
    return first_byte(plane) + size_t(plane.stride) * (height - 1) + width * sample_bytes;
}

void limit_width(PlaneView &plane, size_t most) {
    plane.padded_width =
        uint32_t(std::clamp<size_t>(most, plane.width, std::max(plane.width, plane.padded_width)));
}

// The planes share rows of memory. Rows behind them have the same columns.
void keep_beside(PlaneView &plane, const PlaneView &other, size_t sample_bytes) {
    const auto stride = size_t(plane.stride);
    const uintptr_t from = first_byte(plane), others = first_byte(other);
    if (plane.stride != other.stride) {
        plane.padded_width = plane.width;
        plane.padded_height = plane.height;
    } else if (others > from) {
        limit_width(plane, (others - from) % stride / sample_bytes);
    } else {
        limit_width(plane, (stride - (from - others) % stride) / sample_bytes);
    }
}

// The other plane begins behind this plane's last sample.
void keep_above(PlaneView &plane, const PlaneView &other, size_t sample_bytes) {
    const auto stride = size_t(plane.stride);
    const size_t room = first_byte(other) - first_byte(plane);
    limit_width(plane, (room - stride * (plane.height - 1)) / sample_bytes);
    const size_t rows = (room - plane.padded_width * sample_bytes) / stride + 1;
    plane.padded_height = uint32_t(std::min<size_t>(plane.padded_height, rows));
}

void keep_apart(PlaneView &plane, const PlaneView &other, size_t sample_bytes) {
    const auto end = [&](const PlaneView &of) {
        return end_of(of, of.width, of.height, sample_bytes);
    };
    const bool reaches =
        first_byte(other) < end_of(plane, plane.padded_width, plane.padded_height, sample_bytes) &&
        end(other) > first_byte(plane);
    if (!reaches) return;
    if (first_byte(other) < end(plane))
        keep_beside(plane, other, sample_bytes);
    else
        keep_above(plane, other, sample_bytes);
}

} // namespace

void limit_padding(PictureView &view) {
    const PictureLayout layout = lay_out(view.format);
    for (unsigned p = 0; p < view.format.planes(); p++) {
        PlaneView &plane = view.plane[p];
        plane.padded_width = std::min(plane.padded_width, layout.plane[p].padded_width);
        plane.padded_height = std::min(plane.padded_height, layout.plane[p].padded_height);
        for (unsigned other = 0; other < view.format.planes(); other++)
            if (other != p) keep_apart(plane, view.plane[other], view.format.sample_bytes());
    }
}

} // namespace v3doff
