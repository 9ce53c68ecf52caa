// SPDX-License-Identifier: BSD-2-Clause
// Records of the VP9 inverse transforms, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_VP9_RESIDUAL_H
#define V3DOFF_RECORDS_VP9_RESIDUAL_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
namespace v3doff::vp9 {
using uint = std::uint32_t;
#endif

// One transform block. Where it stands and where its coefficients are.
//   place:  x | y << 14 | plane << 28, x and y in units of 4 samples of that plane.
//   source: word offset of the coefficients in the arena, a multiple of 4; for the RESIDUAL_DC kinds
//           the value to be added to each sample, in two's complement.
struct ResidualRecord {
    uint place;
    uint source;
};

// One workgroup's work: `count` records of one kind from word offset `records` of the arena on.
//   kind_count: kind | log2 of the lanes of a block << 8 | count << 16.
// Word offsets of records and groups are even.
struct ResidualGroup {
    uint records;
    uint kind_count;
};

// Push constants. Offsets and strides count 32-bit words.
struct ResidualPush {
    uint groups; // word offset in the arena of the first group of this dispatch
    uint sample_max;
    uint plane_offset_0, plane_offset_1, plane_offset_2;
    uint plane_stride_0, plane_stride_1, plane_stride_2;
    uint before; // a word of samples that residuals alone are added to
};

// Kinds: everything that steers the control flow, so that a workgroup has one of it. Behind the
// name of some stands the edge of the corner that holds all coefficients, where it is not the whole
// block. Of each of the ADST kinds there are three, for DCT_ADST, ADST_DCT and ADST_ADST.
const uint RESIDUAL_DC = 0;  // + size: 4x4, 8x8, 16x16, 32x32
const uint RESIDUAL_RAW = 4; // + size: residuals, two to a word, row after row
const uint RESIDUAL_WHT_4 = 8;
const uint RESIDUAL_DCT_4 = 9;
const uint RESIDUAL_DCT_8_4 = 10;
const uint RESIDUAL_DCT_8 = 11;
const uint RESIDUAL_DCT_16_8 = 12;
const uint RESIDUAL_DCT_16 = 13;
const uint RESIDUAL_DCT_32_8 = 14;
const uint RESIDUAL_DCT_32_16 = 15;
const uint RESIDUAL_DCT_32 = 16;
const uint RESIDUAL_ADST_4 = 17; // from here on a shader of its own
const uint RESIDUAL_ADST_8 = 20;
const uint RESIDUAL_ADST_16 = 23;
const uint RESIDUAL_KINDS = 26;

const uint RESIDUAL_LANES = 128; // invocations of a workgroup

#ifdef __cplusplus
static_assert(sizeof(ResidualRecord) == 8 && offsetof(ResidualRecord, source) == 4);
static_assert(sizeof(ResidualGroup) == 8 && offsetof(ResidualGroup, kind_count) == 4);
static_assert(sizeof(ResidualPush) == 36 && offsetof(ResidualPush, plane_stride_0) == 20);
} // namespace v3doff::vp9
#endif

#endif
