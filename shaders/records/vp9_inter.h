// SPDX-License-Identifier: BSD-2-Clause
// Records of VP9 motion compensation, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_VP9_INTER_H
#define V3DOFF_RECORDS_VP9_INTER_H

#include "records/vp9_place.h"

RECORDS_BEGIN(v3doff::vp9)

// One block.
// Or, with INTER_GROUP_WORDS, a block as v3doff_vp9_append_inter() writes it, for all planes: its first
// word, a vector, and its third word.
struct InterRecord {
    uint place, source, shape, bucket;
};
// source: the sample of the reference that the block's first one lies on, with INTER_BIAS added.
const Bits INTER_SOURCE_X = {0, 16}, INTER_SOURCE_Y = {16, 16};
// shape: the height, rows of an invocation, fractions in 1/16 sample, the filter.
const Bits INTER_HEIGHT = {0, 8}, INTER_ROWS = {8, 8};
const Bits INTER_FRACTION_X = {16, 4}, INTER_FRACTION_Y = {20, 4}, INTER_FILTER = {24, 8};
// bucket: how the CPU sorts it, and where the reference is scaled the steps.
const Bits INTER_BUCKET = {0, 16}, INTER_STEP_X = {16, 8}, INTER_STEP_Y = {24, 8};

// WorkGroup::what: the kind, log2 of a block's invocations side by side and of all, the count, and the
// plane, which is added to that of the records. Records stand at multiples of 4 words, groups of 2.
const Bits INTER_GROUP_KIND = {0, 4}, INTER_GROUP_SIDE_LOG2 = {4, 4}, INTER_GROUP_LANES_LOG2 = {8, 4};
const Bits INTER_GROUP_COUNT = {16, 8}, INTER_GROUP_PLANE = {24, 2};
const uint INTER_GROUP_WORDS = 1u << 26;
// With INTER_GROUP_WORDS also an eighth of an invocation's rows, and log2 of a block's height in that plane.
const Bits INTER_GROUP_ROWS_8 = {12, 4}, INTER_GROUP_HEIGHT_LOG2 = {27, 3};

// Push constants. Offsets and strides count 32-bit words; sizes are the reference's, less one.
struct InterPush {
    uint groups; // word offset in the arena of the first group of this dispatch
    uint taps;   // where the taps of all filters are, each with 16 fractions, each fraction two words:
                 // 8 taps, a byte each, first tap lowest, with INTER_TAP_BIAS added
    uint sample_max;
    uint average; // scaled references only; the others have a shader for it
    uint chroma_shifts; // log2 of how much narrower chroma is | lower << 1
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

RECORD_LAYOUT(sizeof(InterRecord) == 16 && offsetof(InterRecord, bucket) == 12)
RECORD_LAYOUT(sizeof(InterPush) == 84 && offsetof(InterPush, last_x_0) == 68)
RECORDS_END

#endif
