// SPDX-License-Identifier: BSD-2-Clause
// Records of H.264 inter prediction, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_H264_INTER_H
#define V3DOFF_RECORDS_H264_INTER_H

#include "records/record.h"

RECORDS_BEGIN(v3doff::h264)

// One rectangle, predicted from one reference, for all planes whose groups name it.
//   place:   x/4 | y/4 << 12 | height << 24, in luma samples. Of a field macroblock in an MBAFF
//            frame, y counts lines of its field, and the bits INTER_FIELD_AT, INTER_LOWER_AT where that
//            is the bottom field, and INTER_FROM_LOWER_AT where it is predicted from such a field.
//   vector:  across in the lower, down in the upper half, in quarter luma samples.
//   weights: word offset in the arena of its InterWeightRecord, where the shader has weights.
struct InterRecord {
    uint place, vector, weights, unused;
};

const uint INTER_FIELD_AT = 29, INTER_LOWER_AT = 30, INTER_FROM_LOWER_AT = 31;

// How a prediction is combined with the one that stands there, plane by plane (8.4.2.3.2):
//   factors: of what stands there in the lower, of the prediction in the upper half, both signed.
//   added:   the offset, signed, in the lower half, the shift in the upper one.
struct InterWeightRecord {
    uint factors_0, added_0, factors_1, added_1, factors_2, added_2, unused_0, unused_1;
};

// One workgroup's work: `count` records of one kind from word offset `records` of the arena on.
//   shape: kind | log2 of a rectangle's invocations << 5 | log2 of the samples that each makes of a
//          row << 8 | count << 16 | plane << 24.
// Records stand at multiples of 4 words, groups of 2.
// Push constants. Offsets and strides count 32-bit words.
struct InterPush {
    uint groups; // word offset in the arena of the first group of this dispatch
    uint sample_max;
    uint plane_offset_0, plane_offset_1, plane_offset_2;
    uint plane_stride_0, plane_stride_1, plane_stride_2;
    uint reference_offset_0, reference_offset_1, reference_offset_2;
    uint reference_stride_0, reference_stride_1, reference_stride_2;
    uint last_x_0, last_x_1; // where whole macroblocks end: luma, chroma
    uint last_y_0, last_y_1;
    uint shift_x, shift_y; // of chroma
    // Eighths of a sample that chroma's vectors have added to them, where the reference is a field
    // of the other parity (8.4.1.4).
    int chroma_down;
};

// Kinds by the fractions of luma's vector. An invocation makes two words of each row,
const uint INTER_COPY = 0;     // none
const uint INTER_ACROSS = 1;   // across alone
const uint INTER_DOWN = 2;     // down alone; one word of 8 bits weighted
const uint INTER_DIAGONAL = 3; // both odd
const uint INTER_CENTRE = 4;   // half a sample across, and any down; one word of 8 bits weighted
const uint INTER_BESIDE = 5;   // odd across, half a sample down; always one word
// or one word, where INTER_NARROW is added: with 8 bits of rectangles 4 wide.
const uint INTER_NARROW = 6;
// Of those that read outside of the reference one word at any fractions.
const uint INTER_ANY = 12;
// Chroma with its filter (8.4.2.2.2): two words, one, or with 8 bits half of one;
const uint INTER_CHROMA = 13;
const uint INTER_CHROMA_NARROW = 14;
const uint INTER_CHROMA_PART = 15;
// of those that read outside one word, or with 8 bits half of one.
const uint INTER_CHROMA_ANY = 16;
const uint INTER_CHROMA_ANY_PART = 17;
const uint INTER_KINDS = 18;

const uint INTER_LANES = 128; // invocations of a workgroup

RECORD_LAYOUT(sizeof(InterRecord) == 16 && offsetof(InterRecord, weights) == 8)
RECORD_LAYOUT(sizeof(InterWeightRecord) == 32 && offsetof(InterWeightRecord, factors_2) == 16)
RECORD_LAYOUT(sizeof(InterPush) == 84 && offsetof(InterPush, shift_x) == 72)
RECORDS_END

#endif
