// SPDX-License-Identifier: BSD-2-Clause
// What a picture looks like in memory: pure arithmetic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "v3doff/v3doff.h"

namespace v3doff {

inline constexpr uint32_t max_picture_side = 16384;
inline constexpr unsigned max_planes = 3;

struct PictureFormat {
    uint32_t width = 0, height = 0;
    uint32_t bit_depth = 8;
    v3doff_chroma chroma = V3DOFF_CHROMA_420;

    unsigned planes() const { return chroma == V3DOFF_CHROMA_400 ? 1 : 3; }
    unsigned sample_bytes() const { return bit_depth > 8 ? 2 : 1; }
    unsigned shift_x(unsigned plane) const {
        return plane && (chroma == V3DOFF_CHROMA_420 || chroma == V3DOFF_CHROMA_422);
    }
    unsigned shift_y(unsigned plane) const {
        return plane && (chroma == V3DOFF_CHROMA_420 || chroma == V3DOFF_CHROMA_440);
    }
    uint32_t plane_width(unsigned plane) const {
        return (width + shift_x(plane)) >> shift_x(plane);
    }
    uint32_t plane_height(unsigned plane) const {
        return (height + shift_y(plane)) >> shift_y(plane);
    }
    bool operator==(const PictureFormat &) const = default;
};

struct PlaneLayout {
    size_t offset = 0, stride = 0;                // bytes
    uint32_t width = 0, height = 0;               // visible samples
    uint32_t padded_width = 0, padded_height = 0; // samples that may be written
};

struct PictureLayout {
    PictureFormat format;
    PlaneLayout plane[max_planes];
    size_t bytes = 0;
};

using PlaneStrides = std::array<uint32_t, max_planes>; // bytes; 0: the library's choice

// The layout of a pool's pictures. Rows and columns are padded to whole 64x64 superblocks, with
// two more luma rows and 64 bytes behind each plane, which FFmpeg's decoders may read past a
// picture's end. The library's own strides are multiples of 64 bytes, chroma's too; columns are
// padded no further than a given stride allows.
PictureLayout lay_out(const PictureFormat &format, const PlaneStrides &strides = {});

} // namespace v3doff
