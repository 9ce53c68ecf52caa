// SPDX-License-Identifier: BSD-2-Clause
// The macroblocks of an H.264 picture and their motion: what boundary strengths (ITU-T H.264 8.7.2.1) are
// derived from, and what inter prediction sorts. Compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_H264_MACROBLOCKS_H
#define V3DOFF_RECORDS_H264_MACROBLOCKS_H

#include "records/record.h"

RECORDS_BEGIN(v3doff::h264)

// MacroblockRecord::bits. Below 16, bit 4y + x: the 4x4 luma block in column x and row y, or the 8x8
// block that it lies in, has coefficients that are not 0.
const Bits MB_QP = {16, 7}, MB_QP_8 = {16, 8}; // QP'Y; a byte where there are no field macroblocks
const uint MB_FIELD = 1u << 23;        // a field macroblock of an MBAFF frame
const uint MB_INTRA = 1u << 24;        // or in a slice of type SP or SI
const uint MB_FILTERED = 1u << 25;     // disable_deblocking_filter_idc is not 1
const uint MB_FILTER_LEFT = 1u << 26;  // filterLeftMbEdgeFlag
const uint MB_FILTER_TOP = 1u << 27;   // filterTopMbEdgeFlag
const uint MB_TRANSFORM_8X8 = 1u << 28;
const uint MB_MOTION_8X8 = 1u << 29; // a motion vector for each 8x8 block, 4 in all
const uint MB_MOTION_4X4 = 1u << 30; // 16; with neither there is one
const uint MB_LIST_0_ONLY = 1u << 31;

// MacroblockRecord::motion: the first motion vector among those of all, and above it the number of the
// slice's table.
const Bits MB_VECTOR = {0, 24}, MB_TABLE = {24, 8};

// One macroblock. reference[list]: a byte for each 8x8 block in raster order that says which picture
// it is predicted from, 255 where it does not use the list. Motion vectors are words, x in the lower
// and y in the upper half, in quarter samples: all of list 0, where any block uses it, then those of list 1.
struct MacroblockRecord {
    uint bits, motion, reference[2];
};

// Tables, one for each set of slice parameters in use. By an average QP': thresholds as FilterMb
// has them. Behind them, by QP'Y: what is averaged, QP'Y | QP'C of Cb << 8 | of Cr << 16.
const uint SLICE_QPS = 88; // 14-bit samples: 51 + 36 is the largest
const uint SLICE_TABLE_WORDS = 2u * SLICE_QPS;

RECORD_LAYOUT(sizeof(MacroblockRecord) == 16 && offsetof(MacroblockRecord, reference) == 8)
RECORDS_END

#endif
