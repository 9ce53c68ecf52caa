// SPDX-License-Identifier: BSD-2-Clause
// Records of H.264 intra prediction, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_H264_INTRA_H
#define V3DOFF_RECORDS_H264_INTRA_H

#include "records/record.h"

RECORDS_BEGIN(v3doff::h264)

// Modes of 4x4 and 8x8 blocks, numbered as FFmpeg does; the last three stand for modes whose
// neighbours are missing.
const uint INTRA_VERTICAL = 0;
const uint INTRA_HORIZONTAL = 1;
const uint INTRA_DC = 2;
const uint INTRA_DOWN_LEFT = 3;
const uint INTRA_DOWN_RIGHT = 4;
const uint INTRA_VERTICAL_RIGHT = 5;
const uint INTRA_HORIZONTAL_DOWN = 6;
const uint INTRA_VERTICAL_LEFT = 7;
const uint INTRA_HORIZONTAL_UP = 8;
const uint INTRA_DC_LEFT = 9;
const uint INTRA_DC_ABOVE = 10;
const uint INTRA_DC_128 = 11;
const uint INTRA_MODES = 12;

// The same of 16x16 luma and of chroma of 4:2:0 and 4:2:2.
const uint INTRA_WHOLE_DC = 0;
const uint INTRA_WHOLE_HORIZONTAL = 1;
const uint INTRA_WHOLE_VERTICAL = 2;
const uint INTRA_WHOLE_PLANE = 3;
const uint INTRA_WHOLE_DC_LEFT = 4;
const uint INTRA_WHOLE_DC_ABOVE = 5;
const uint INTRA_WHOLE_DC_128 = 6;
const uint INTRA_WHOLE_MODES = 7;
// Chroma alone, where one half of the left side may not be used (an MBAFF frame with
// constrained_intra_pred_flag): DC with the upper half, with the lower one, and the same without the
// row above. What FFmpeg makes of them in 4:2:2 is not 8.3.4, but its.
const uint INTRA_CHROMA_UPPER_LEFT_ABOVE = 7;
const uint INTRA_CHROMA_LOWER_LEFT_ABOVE = 8;
const uint INTRA_CHROMA_UPPER_LEFT = 9;
const uint INTRA_CHROMA_LOWER_LEFT = 10;
const uint INTRA_CHROMA_MODES = 11;

// One macroblock's luma, or its Cb and Cr where they have fewer samples than luma; 4:4:4: one plane.
//   source:    word offset of the residuals in the scratch memory, of PCM samples in the arena
//   modes:     4 bits for each 4x4 block in raster order; of 8x8 blocks the first four, of others
//              the first one, with what its mean is of in modes_high: 1 the column on the left,
//              2 the row above, of chroma for each 4x4 block in raster order
//   available: 4x4: bit i: the samples above and right of block i, in raster order, may be used.
//              8x8: bit i: the sample above and left of block i, bit 4 + i: those above and right
//   coded:     bit i: 4x4 block i in raster order has residuals; Cb from bit 0, Cr from bit 8.
//              INTRA_WRAPS: sums are taken modulo the size of a sample in memory, not clipped
struct IntraRecord {
    uint place, source, modes_low, modes_high, available, coded;
};
// place: x and y in macroblocks, the kind, the plane of the first samples, 1 for a field macroblock of an
// MBAFF frame.
const Bits INTRA_X = {0, 10}, INTRA_Y = {10, 10}, INTRA_KIND = {20, 4}, INTRA_PLANE = {24, 2};
const Bits INTRA_FIELD = {26, 6};
const uint INTRA_WRAPS = 1u << 31;
const uint INTRA_BLOCKS_4 = 0;
const uint INTRA_BLOCKS_8 = 1;
const uint INTRA_WHOLE = 2;
const uint INTRA_PCM = 3;
const uint INTRA_CHROMA = 4; // added for Cb and Cr
const uint INTRA_IDLE = 8;

// A workgroup does steps, one after the other: WorkGroup::records is the word offset of the first step,
// `what` their count. A step is a WorkGroup of records that do not depend on each other: they are done side
// by side, each with INTRA_LANES invocations, and all take so many phases as the longest one. All word
// offsets are even.
const Bits INTRA_STEP_COUNT = {0, 8}, INTRA_STEP_PHASES = {8, 24};
const uint INTRA_SIDE_BY_SIDE = 8;
const uint INTRA_LANES = 32;
const uint INTRA_PHASES_4 = 10; // blocks of equal x + 2 * y at once
const uint INTRA_PHASES_8 = 8;  // blocks one after the other, each is filtered and predicted
const uint INTRA_PHASES_WHOLE = 3; // sums, what follows from them, prediction

// Offsets and strides count 32-bit words.
struct IntraPush {
    uint groups; // word offset in the arena of the first group of this dispatch
    uint sample_max;
    uint chroma_rows; // of a macroblock
    uint plane_offset_0, plane_offset_1, plane_offset_2;
    uint plane_stride_0, plane_stride_1, plane_stride_2;
};

RECORD_LAYOUT(sizeof(IntraRecord) == 24 && offsetof(IntraRecord, coded) == 20)
RECORD_LAYOUT(sizeof(IntraPush) == 36 && offsetof(IntraPush, plane_stride_0) == 24)
RECORDS_END

#endif
