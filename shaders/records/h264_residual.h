// SPDX-License-Identifier: BSD-2-Clause
// Records of the H.264 inverse transforms, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_H264_RESIDUAL_H
#define V3DOFF_RECORDS_H264_RESIDUAL_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
namespace v3doff::h264 {
using uint = std::uint32_t;
#endif

// One block. Where it stands and where its coefficients are.
//   place:  x | y << 12 | plane << 24 | field << 26 | parity << 27, x and y in units of 4 samples of
//           that plane. With field the block has every second row, from row y * 4 + parity on.
//           Residuals in scratch memory: word offset | words from row to row << RESIDUAL_SCRATCH_BITS;
//           a word has two values.
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
};

// Kinds: everything that steers the control flow, so that a workgroup has one of it.
const uint RESIDUAL_DC_4 = 0;
const uint RESIDUAL_DC_8 = 1;
const uint RESIDUAL_BYPASS_4 = 2; // transform bypass; the residual modulo the size of a sample
const uint RESIDUAL_4 = 3;
const uint RESIDUAL_8_4 = 4; // 8x8, of which only the 4x4 corner holds coefficients
const uint RESIDUAL_8 = 5;
const uint RESIDUAL_KINDS = 6;

const uint RESIDUAL_SCRATCH_BITS = 28;

const uint RESIDUAL_LANES = 128; // invocations of a workgroup

#ifdef __cplusplus
static_assert(sizeof(ResidualRecord) == 8 && offsetof(ResidualRecord, source) == 4);
static_assert(sizeof(ResidualGroup) == 8 && offsetof(ResidualGroup, kind_count) == 4);
static_assert(sizeof(ResidualPush) == 32 && offsetof(ResidualPush, plane_stride_0) == 20);
} // namespace v3doff::h264
#endif

#endif
