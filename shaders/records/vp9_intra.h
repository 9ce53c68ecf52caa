// SPDX-License-Identifier: BSD-2-Clause
// Records of VP9 intra prediction, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_VP9_INTRA_H
#define V3DOFF_RECORDS_VP9_INTRA_H

#include "records/vp9_place.h"

RECORDS_BEGIN(v3doff::vp9)

// One transform block that is predicted from its neighbours.
struct IntraRecord {
    uint place, shape;
};
// shape: the mode, log2 of the edge, how many samples are there above and on the left, behind which the
// last one is repeated, and flags.
const Bits INTRA_MODE = {0, 4}, INTRA_LOG2 = {4, 4}, INTRA_ABOVE = {8, 8}, INTRA_LEFT = {16, 8};
const uint INTRA_HAS_ABOVE = 0x1000000u;
const uint INTRA_HAS_LEFT = 0x2000000u;
const uint INTRA_HAS_RESIDUAL = 0x4000000u;

// A WorkGroup has the blocks of one plane of one superblock, one after the other; its `what` is their count.

// Offsets and strides count 32-bit words. Residuals stand in the scratch buffer, which is laid out
// as the picture is. With 8 bits a sample in two parts, the second one scratch_part words behind the
// first: clipped to 0 and more, and 255 more than clipped to 0 and less; a decoder's sum with a
// sample is the same. Else 32768 more than they are.
struct IntraPush {
    uint groups; // word offset in the arena of the first group of this dispatch
    uint sample_max;
    uint plane_offset_0, plane_offset_1, plane_offset_2;
    uint plane_stride_0, plane_stride_1, plane_stride_2;
    uint scratch_offset_0, scratch_offset_1, scratch_offset_2;
    uint scratch_part;
};
// Invocations of a workgroup. Most blocks have 4x4 samples, which few invocations make; more than a
// vector of the smallest device would only wait.
const uint INTRA_LANES = 16;

// Modes, numbered as FFmpeg does; the last five stand for modes whose neighbours are missing.
const uint INTRA_VERTICAL = 0;
const uint INTRA_HORIZONTAL = 1;
const uint INTRA_DC = 2;
const uint INTRA_DOWN_LEFT = 3;
const uint INTRA_DOWN_RIGHT = 4;
const uint INTRA_VERTICAL_RIGHT = 5;
const uint INTRA_HORIZONTAL_DOWN = 6;
const uint INTRA_VERTICAL_LEFT = 7;
const uint INTRA_HORIZONTAL_UP = 8;
const uint INTRA_TRUE_MOTION = 9;
const uint INTRA_DC_LEFT = 10;
const uint INTRA_DC_ABOVE = 11;
const uint INTRA_DC_128 = 12;
const uint INTRA_DC_127 = 13;
const uint INTRA_DC_129 = 14;

RECORD_LAYOUT(sizeof(IntraRecord) == 8 && offsetof(IntraRecord, shape) == 4)
RECORD_LAYOUT(sizeof(IntraPush) == 48 && offsetof(IntraPush, plane_stride_0) == 20)
RECORDS_END

#endif
