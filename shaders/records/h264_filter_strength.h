// SPDX-License-Identifier: BSD-2-Clause
// The pass that derives H.264 boundary strengths (ITU-T H.264 8.7.2.1), compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_H264_FILTER_STRENGTH_H
#define V3DOFF_RECORDS_H264_FILTER_STRENGTH_H

#include "records/h264_macroblocks.h"

RECORDS_BEGIN(v3doff::h264)

const uint STRENGTH_GROUP = 64; // macroblocks of a workgroup, 4 invocations each

struct StrengthPush {
    uint macroblocks; // word offsets in the arena: MacroblockRecord in raster order, a multiple of 4; of an
                      // MBAFF frame pairs in raster order
    uint motion;
    uint tables;
    uint records; // where FilterMb go, a multiple of 4; or FilterMbaffMb
    uint count;   // macroblocks
    uint mb_width;
    uint field; // 1: the picture is a field
};

RECORD_LAYOUT(sizeof(StrengthPush) == 28)
RECORDS_END

#endif
