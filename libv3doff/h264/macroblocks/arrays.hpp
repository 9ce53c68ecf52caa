// SPDX-License-Identifier: BSD-2-Clause
// A decoder's arrays of a picture or field, in FFmpeg's layout (v3doff/h264.h describes them).
#pragma once

#include <cstddef>
#include <cstdint>

#include "v3doff/h264.h"

namespace v3doff::h264 {

// Bits of a macroblock's type that matter here; numbers of FFmpeg's MB_TYPE_*.
enum : uint32_t {
    mb_intra = 7, // 4x4 (and 8x8), 16x16, PCM
    mb_16x16 = 1 << 3,
    mb_16x8 = 1 << 4,
    mb_8x16 = 1 << 5,
    mb_interlaced = 1 << 7,
    mb_direct = 1 << 8,
    mb_uses_list_0 = 3 << 12,
    mb_uses_list_1 = 3 << 14,
    mb_transform_8x8 = 1 << 24,
};

inline constexpr uint16_t no_slice = 0xffff;
inline constexpr unsigned max_list_entries = 32;

using Slice = v3doff_h264_slice;

struct Arrays {
    uint32_t mb_width = 0, mb_height = 0;
    unsigned bit_depth = 8;
    bool field = false;
    bool mbaff = false;
    bool luma_only = false;
    bool filtered = true; // false: what only deblocking needs may be null
    // Those of macroblock (x, y) are at y * mb_stride + x.
    size_t mb_stride = 0;
    const uint32_t *mb_type = nullptr;
    const int8_t *qp = nullptr; // QP'Y
    const uint16_t *slice_table = nullptr;
    const uint8_t (*non_zero_count)[48] = nullptr;
    const uint16_t *cbp = nullptr;
    // Those of its 4x4 block (bx, by) are at
    // y * motion_mb_stride + by * motion_stride + x * 4 + bx.
    size_t motion_stride = 0, motion_mb_stride = 0;
    const int16_t (*motion[2])[2] = {};
    const int8_t *reference[2] = {}; // of its 8x8 block n at 4 * (y * mb_stride + x) + n
    const Slice *slices = nullptr;
    size_t slice_count = 0;
    const uint8_t (*field_pictures)[2][32] = nullptr; // MBAFF: of field macroblocks, by slice
};

} // namespace v3doff::h264
