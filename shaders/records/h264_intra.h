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
//   place:     x | y << 10 | kind << 20 | plane << 24 | field << 26, x and y in macroblocks; the
//              plane of the first samples; of a field macroblock in an MBAFF frame
//   source:    word offset of the residuals in the scratch memory, of PCM samples in the arena
//   modes:     4 bits for each 4x4 block in raster order; of 8x8 blocks the first four, of others
//              the first one, with what its mean is of in modes_high: 1 the column on the left,
//              2 the row above, of chroma for each 4x4 block in raster order
//   available: 4x4: bit i: the samples above and right of block i, in raster order, may be used.
//              8x8: bit i: the sample above and left of block i, bit 4 + i: those above and right
//   coded:     bit i: 4x4 block i in raster order has residuals; Cb from bit 0, Cr from bit 8
struct IntraRecord {
    uint place;
    uint source;
    uint modes_low, modes_high;
    uint available;
    uint coded;
};
const uint INTRA_BLOCKS_4 = 0;
const uint INTRA_BLOCKS_8 = 1;
const uint INTRA_WHOLE = 2;
const uint INTRA_PCM = 3;
const uint INTRA_CHROMA = 4; // added for Cb and Cr
const uint INTRA_IDLE = 8;

// Records that do not depend on each other: a workgroup does them side by side, each with
// INTRA_LANES invocations, and they all take so many phases as the longest one.
//   records: word offset in the arena of the first one
//   work:    count | phases << 8
const uint INTRA_SIDE_BY_SIDE = 8;
const uint INTRA_LANES = 32;
const uint INTRA_PHASES_4 = 10; // blocks of equal x + 2 * y at once
const uint INTRA_PHASES_8 = 8;  // blocks one after the other, each is filtered and predicted
const uint INTRA_PHASES_WHOLE = 3; // sums, what follows from them, prediction

// What a workgroup does: steps, one after the other. Word offsets of all of them are even.
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
