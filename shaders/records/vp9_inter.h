// SPDX-License-Identifier: BSD-2-Clause
// Records of VP9 motion compensation, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_VP9_INTER_H
#define V3DOFF_RECORDS_VP9_INTER_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
namespace v3doff::vp9 {
using uint = std::uint32_t;
#endif

// One block.
//   place:  x | y << 14 | plane << 28, x and y in units of 4 samples of that plane.
//   source: x + INTER_BIAS | (y + INTER_BIAS) << 16, the whole sample of the reference that the block's
//           first one lies on.
//   size:   height | rows of an invocation << 8.
//   bucket: how the CPU sorts it.
//   taps_*: the 8 taps of the filter across and of the filter down, a byte each, first tap lowest,
//           with INTER_TAP_BIAS added.
// A block with a scaled reference has instead of taps
//   taps_across_0: fraction across | step across << 16, both in 1/16 sample; taps_across_1: down;
//   taps_down_0:   word offset in the arena of its filter: the taps of 16 fractions, as above.
struct InterRecord {
    uint place, source, size, bucket;
    uint taps_across_0, taps_across_1, taps_down_0, taps_down_1;
};

// One workgroup's work: `count` records of one kind from word offset `records` of the arena on.
//   shape: kind | log2 of a block's invocations side by side << 4 |
//          log2 of all invocations of a block << 8 | count << 16 | plane << 24, which is added to
//          that of the records.
// Records stand at multiples of 4 words, groups of 2.
struct InterGroup {
    uint records;
    uint shape;
};

// Push constants. Offsets and strides count 32-bit words; sizes are the reference's, less one.
struct InterPush {
    uint groups; // word offset in the arena of the first group of this dispatch
    uint sample_max;
    uint average; // scaled references only; the others have a shader for it
    uint plane_offset_0, plane_offset_1, plane_offset_2;
    uint plane_stride_0, plane_stride_1, plane_stride_2;
    uint reference_offset_0, reference_offset_1, reference_offset_2;
    uint reference_stride_0, reference_stride_1, reference_stride_2;
    uint last_x_0, last_x_1; // luma, chroma
    uint last_y_0, last_y_1;
};

// Kinds: which filters run, and how many words of samples an invocation makes of each row. INTER_ANY_1
// is for what the others do not take: blocks that read outside the reference, and heights that are
// no multiple of 4.
const uint INTER_COPY_2 = 0;
const uint INTER_ACROSS_2 = 1;
const uint INTER_DOWN_2 = 2; // this and the next with 8 bits: of more, two words need too many registers
const uint INTER_BOTH_2 = 3;
const uint INTER_COPY_1 = 4; // with 8 bits, for blocks 4 wide
const uint INTER_ACROSS_1 = 5;
const uint INTER_DOWN_1 = 6;
const uint INTER_BOTH_1 = 7;
const uint INTER_ANY_1 = 8;
const uint INTER_SCALED_1 = 9; // in a shader of its own
const uint INTER_KINDS = 10;

const uint INTER_BIAS = 256;
const uint INTER_TAP_BIAS = 32;
const uint INTER_LANES = 128; // invocations of a workgroup

#ifdef __cplusplus
static_assert(sizeof(InterRecord) == 32 && offsetof(InterRecord, taps_across_0) == 16);
static_assert(sizeof(InterGroup) == 8 && offsetof(InterGroup, shape) == 4);
static_assert(sizeof(InterPush) == 76 && offsetof(InterPush, last_x_0) == 60);
} // namespace v3doff::vp9
#endif

#endif
