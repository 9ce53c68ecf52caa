// SPDX-License-Identifier: BSD-2-Clause
// Records of the VP9 inverse transforms, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_VP9_ITX_H
#define V3DOFF_RECORDS_VP9_ITX_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
namespace v3doff::vp9 {
using uint = std::uint32_t;
#endif

// One transform block. Where it stands and where its coefficients are.
//   place:  x | y << 14 | plane << 28, x and y in units of 4 samples of that plane.
//   source: word offset of the coefficients in the arena; for a block of which only the DC
//           coefficient counts, the value to be added to each sample, in two's complement.
struct ItxRecord {
    uint place;
    uint source;
};

// One workgroup's work: `count` records of one kind from word offset `records` of the arena on.
//   kind_count: kind | count << 16.
struct ItxGroup {
    uint records;
    uint kind_count;
};

// Push constants. Offsets and strides count 32-bit words.
struct ItxPush {
    uint groups; // word offset in the arena of the first group of this dispatch
    uint sample_max;
    uint plane_offset_0, plane_offset_1, plane_offset_2;
    uint plane_stride_0, plane_stride_1, plane_stride_2;
};

#ifdef __cplusplus
static_assert(sizeof(ItxRecord) == 8 && offsetof(ItxRecord, source) == 4);
static_assert(sizeof(ItxGroup) == 8 && offsetof(ItxGroup, kind_count) == 4);
static_assert(sizeof(ItxPush) == 32 && offsetof(ItxPush, plane_stride_0) == 20);
} // namespace v3doff::vp9
#endif

#endif
