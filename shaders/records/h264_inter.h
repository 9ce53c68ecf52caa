// SPDX-License-Identifier: BSD-2-Clause
// Records of H.264 inter prediction, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_H264_INTER_H
#define V3DOFF_RECORDS_H264_INTER_H

#include "records/record.h"

RECORDS_BEGIN(v3doff::h264)

// One rectangle, predicted from one reference, for all planes whose groups name it.
//   vector:  across in the lower, down in the upper half, in quarter luma samples.
//   weights: word offset in the arena of its InterWeightRecord, where the shader has weights.
struct InterRecord {
    uint place, vector, weights, unused;
};
// place: x and y in units of 4 luma samples, the height in luma samples. INTER_FIELD: a field macroblock of
// an MBAFF frame, whose y counts lines of its field. INTER_LOWER: that is the bottom field.
// INTER_FROM_LOWER: it is predicted from such a field.
const Bits INTER_X = {0, 12}, INTER_Y = {12, 12}, INTER_HEIGHT = {24, 5};
const Bits INTER_FIELD = {29, 1}, INTER_LOWER = {30, 1}, INTER_FROM_LOWER = {31, 1};

// How a prediction is combined with the one that stands there, plane by plane (8.4.2.3.2):
//   factors: of what stands there in the lower, of the prediction in the upper half, both signed.
//   added:   the offset, signed, in the lower half, the shift in the upper one.
struct InterWeightRecord {
    uint factors_0, added_0, factors_1, added_1, factors_2, added_2, unused_0, unused_1;
};

// WorkGroup::what: the kind, log2 of a rectangle's invocations, log2 of the samples that each makes of a row,
// the count, the plane. Records stand at multiples of 4 words, groups of 2.
const Bits INTER_GROUP_KIND = {0, 5}, INTER_GROUP_LANES_LOG2 = {5, 3}, INTER_GROUP_SAMPLES_LOG2 = {8, 3};
const Bits INTER_GROUP_COUNT = {16, 8}, INTER_GROUP_PLANE = {24, 8};

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
