// SPDX-License-Identifier: BSD-2-Clause
// Records of H.264 deblocking in MBAFF frames (ITU-T H.264 8.7), compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_H264_FILTER_MBAFF_H
#define V3DOFF_RECORDS_H264_FILTER_MBAFF_H

#include "records/record.h"

RECORDS_BEGIN(v3doff::h264)

// flags
#define MBAFF_FIELD 1u     /* the pair is a field pair */
#define MBAFF_ALTERNATE 2u /* a frame macroblock beside a field pair: `left` by parity of the line */
#define MBAFF_TWO_TOPS 4u  /* the upper frame macroblock under a field pair */

// One macroblock of a pair, 24 words; pairs in raster order, the upper (top field) macroblock first.
// Strengths and thresholds in the forms of FilterMb.
struct FilterMbaffMb {
    uint vertical[2];   // edges 1 to 3
    uint horizontal[2]; // edges 1 to 3
    uint chroma_left, chroma_right;
    uint left;          // the left edge, a nibble for each of 8 groups of lines
    uint top;           // the upper edge, a nibble a segment; from bit 16 on the second upper edge
    uint flags;
    // Of luma, Cb, Cr: the left edge to the first and to the second macroblock of the pair there,
    // the first and the second upper edge, inner edges.
    uint thresholds[3][5];
};

// Push constants of the four passes. A unit is a pair. Rows and columns of its scratch memory are
// quads, 4 samples of a line. A line of quads down a unit, with the last `halo` rows of the unit
// above before it, is a shaft.
struct FilterMbaffPush {
    uint plane[3];      // words
    uint line[3];       // words from line to line
    uint mb_width, pair_height;
    uint records;       // word offset in the arena
    uint luma_rows;     // rows of work of each plane filtered as luma, which come first
    uint chroma_rows;   // those of the other planes
    uint strips[3];     // quads: a shaft a unit, its last columns before their right neighbour
    uint tiles[3];      // 4 shafts a unit, in subsampled chroma 2: all columns after vertical edges
    uint finals[3];     // the last columns in their final state: rows of a unit
    uint bit_depth;
};

RECORD_LAYOUT(sizeof(FilterMbaffMb) == 96 && offsetof(FilterMbaffMb, thresholds) == 36)
RECORD_LAYOUT(sizeof(FilterMbaffPush) == 84 && offsetof(FilterMbaffPush, bit_depth) == 80)
RECORDS_END

#endif
