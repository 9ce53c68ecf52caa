// SPDX-License-Identifier: BSD-2-Clause
// The input of H.264 boundary strengths (ITU-T H.264 8.7.2.1), compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_H264_FILTER_STRENGTH_H
#define V3DOFF_RECORDS_H264_FILTER_STRENGTH_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
namespace v3doff::h264 {
using uint = std::uint32_t;
#endif

// StrengthMb::bits. Below 16, bit 4y + x: the 4x4 luma block in column x and row y, or the 8x8
// block that it lies in, has coefficients that are not 0.
const uint STRENGTH_QP_AT = 16;              // QP'Y, 7 bits
const uint STRENGTH_FIELD = 1u << 23;        // a field macroblock of an MBAFF frame
const uint STRENGTH_INTRA = 1u << 24;        // or in a slice of type SP or SI
const uint STRENGTH_FILTERED = 1u << 25;     // disable_deblocking_filter_idc is not 1
const uint STRENGTH_FILTER_LEFT = 1u << 26;  // filterLeftMbEdgeFlag
const uint STRENGTH_FILTER_TOP = 1u << 27;   // filterTopMbEdgeFlag
const uint STRENGTH_TRANSFORM_8X8 = 1u << 28;
const uint STRENGTH_MOTION_8X8 = 1u << 29; // a motion vector for each 8x8 block, 4 in all
const uint STRENGTH_MOTION_4X4 = 1u << 30; // 16; with neither there is one
const uint STRENGTH_LIST_0_ONLY = 1u << 31;

// StrengthMb::motion: the first motion vector counted from StrengthPush::motion, and above it the
// number of the table.
const uint STRENGTH_TABLE_AT = 24;

// One macroblock. reference[list]: a byte for each 8x8 block in raster order that says which picture
// it is predicted from, 255 where it does not use the list. Motion vectors are words, x | y << 16 in
// quarter samples: all of list 0, where any block uses it, then those of list 1.
struct StrengthMb {
    uint bits, motion, reference[2];
};

// Tables, one for each set of slice parameters in use. By an average QP': thresholds as FilterMb
// has them. Behind them, by QP'Y: what is averaged, QP'Y | QP'C of Cb << 8 | of Cr << 16.
const uint STRENGTH_QPS = 88; // 14-bit samples: 51 + 36 is the largest
const uint STRENGTH_TABLE_WORDS = 2u * STRENGTH_QPS;

const uint STRENGTH_GROUP = 64; // macroblocks of a workgroup, 4 invocations each

struct StrengthPush {
    uint macroblocks; // word offsets in the arena: StrengthMb in raster order, a multiple of 4; of an
                      // MBAFF frame pairs in raster order
    uint motion;
    uint tables;
    uint records; // where FilterMb go, a multiple of 4; or FilterMbaffMb
    uint count;   // macroblocks
    uint mb_width;
    uint field; // 1: the picture is a field
};

#ifdef __cplusplus
static_assert(sizeof(StrengthMb) == 16 && offsetof(StrengthMb, reference) == 8);
static_assert(sizeof(StrengthPush) == 28);
} // namespace v3doff::h264
#endif

#endif
