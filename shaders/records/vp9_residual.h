// SPDX-License-Identifier: BSD-2-Clause
// Records of the VP9 inverse transforms, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_VP9_RESIDUAL_H
#define V3DOFF_RECORDS_VP9_RESIDUAL_H

#include "records/residual.h"
#include "records/vp9_place.h"

RECORDS_BEGIN(v3doff::vp9)

// One transform block of a picture that was recorded as words.
//   source:  number of its first coefficient among the picture's, which are appended to the arena as
//            the decoder gave them (v3doff_vp9_coefficient); for the RESIDUAL_DC kinds as above; for the
//            RESIDUAL_RAW kinds the word offset of the residuals in the arena, even.
//   count:   of coefficients.
//   factors: what the DC coefficient (lower half) and the others are multiplied by, signed.
struct ResidualWordsRecord {
    uint place, source, count, factors;
};

// WorkGroup::what for ResidualWordsRecords has fewer bits for the count. It adds log2 of the block's edge; log2
// of its corner's edge, 0 where no coefficients are read; and the part of the residuals. Word offsets of
// such records are multiples of 4.
const Bits RESIDUAL_WORDS_COUNT = {16, 8}, RESIDUAL_WORDS_EDGE_LOG2 = {24, 3};
const Bits RESIDUAL_WORDS_CORNER_LOG2 = {27, 3}, RESIDUAL_WORDS_PART = {31, 1};

// Push constants. Offsets and strides count 32-bit words.
struct ResidualPush {
    uint groups; // word offset in the arena of the first group of this dispatch
    uint sample_max;
    uint plane_offset_0, plane_offset_1, plane_offset_2;
    uint plane_stride_0, plane_stride_1, plane_stride_2;
    // Of pictures that were recorded as words:
    uint coefficients; // word offset in the arena of the first one
    uint before;       // a word of samples that residuals alone are added to
    uint part_words;   // how far behind stands what is added to samples that are all 1 bits
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

RECORD_LAYOUT(sizeof(ResidualWordsRecord) == 16 && offsetof(ResidualWordsRecord, factors) == 12)
RECORD_LAYOUT(sizeof(ResidualPush) == 44 && offsetof(ResidualPush, plane_stride_0) == 20)
RECORDS_END

#endif
