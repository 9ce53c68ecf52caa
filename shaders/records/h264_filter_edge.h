// SPDX-License-Identifier: BSD-2-Clause
// Records of single H.264 edges, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_H264_FILTER_EDGE_H
#define V3DOFF_RECORDS_H264_FILTER_EDGE_H

#include "records/record.h"

RECORDS_BEGIN(v3doff::h264)

// One line across an edge. Thresholds are those of 8.7.2.2 for 8-bit samples.
struct EdgeLine {
    int alpha, beta;
    int tc0;    // negative: not filtered
    uint style; // EDGE_* bits
};

const uint EDGE_CHROMA = 1; // filtered as chroma: one sample on each side
const uint EDGE_STRONG = 2; // strength 4; tc0 does not matter

// Line n is row n of the plane: its samples 0 to 3 lie before the edge, 4 to 7 behind it.
struct EdgePush {
    uint offset, stride; // of the plane, in words
    uint lines;          // how many
    uint first;          // the first record: word of the arena / 4
    uint depth;          // bits a sample
};

const uint EDGE_LANES = 64;  // invocations of a workgroup
const uint EDGE_SAMPLES = 8; // of a line

RECORD_LAYOUT(sizeof(EdgeLine) == 16 && offsetof(EdgeLine, style) == 12)
RECORD_LAYOUT(sizeof(EdgePush) == 20 && offsetof(EdgePush, depth) == 16)
RECORDS_END

#endif
