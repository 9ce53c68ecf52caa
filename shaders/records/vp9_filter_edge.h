// SPDX-License-Identifier: BSD-2-Clause
// Records of single VP9 edges, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_VP9_FILTER_EDGE_H
#define V3DOFF_RECORDS_VP9_FILTER_EDGE_H

#include "records/record.h"

RECORDS_BEGIN(v3doff::vp9)

// One line across an edge. Limits as FFmpeg's functions take them, for 8 bits a sample.
struct EdgeLine {
    int e, i, h;
    uint size; // 4, 8 or 16
};

// Line n is row n of the plane: its samples 0 to 7 lie before the edge, 8 to 15 behind it.
struct EdgePush {
    uint offset, stride; // of the plane, in words
    uint lines;          // how many
    uint first;          // the first record: word of the arena / 4
    uint depth;          // bits a sample
};

const uint EDGE_LANES = 64;   // invocations of a workgroup
const uint EDGE_SAMPLES = 16; // of a line

RECORD_LAYOUT(sizeof(EdgeLine) == 16 && offsetof(EdgeLine, size) == 12)
RECORD_LAYOUT(sizeof(EdgePush) == 20 && offsetof(EdgePush, depth) == 16)
RECORDS_END

#endif
