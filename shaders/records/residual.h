// SPDX-License-Identifier: BSD-2-Clause
// Records of residuals that both codecs have, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_RESIDUAL_H
#define V3DOFF_RECORDS_RESIDUAL_H

#include "records/record.h"

RECORDS_BEGIN(v3doff)

// One block.
//   place:  where it stands, packed as its codec says.
//   source: word offset of the coefficients in the arena, a multiple of 4; for the RESIDUAL_DC kinds
//           the value to be added to each sample, in two's complement.
struct ResidualRecord {
    uint place, source;
};

// WorkGroup::what: the kind, log2 of the lanes of a block, the count. Word offsets of records and groups
// are even.
const Bits RESIDUAL_GROUP_KIND = {0, 8}, RESIDUAL_GROUP_LANES_LOG2 = {8, 8};
const Bits RESIDUAL_GROUP_COUNT = {16, 16};

const uint RESIDUAL_LANES = 128; // invocations of a workgroup

RECORD_LAYOUT(sizeof(ResidualRecord) == 8 && offsetof(ResidualRecord, source) == 4)
RECORDS_END

#endif
