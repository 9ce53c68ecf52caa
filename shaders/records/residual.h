// SPDX-License-Identifier: BSD-2-Clause
// Records of residuals that both codecs have, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_RESIDUAL_H
#define V3DOFF_RECORDS_RESIDUAL_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
namespace v3doff {
using uint = std::uint32_t;
#endif

// One block.
//   place:  where it stands, packed as its codec says.
//   source: word offset of the coefficients in the arena, a multiple of 4; for the RESIDUAL_DC kinds
//           the value to be added to each sample, in two's complement.
struct ResidualRecord {
    uint place;
    uint source;
};

// One workgroup's work: `count` records of one kind from word offset `records` of the arena on.
//   kind_count: kind | log2 of the lanes of a block << 8 | count << 16.
// Word offsets of records and groups are even.
struct ResidualGroup {
    uint records;
    uint kind_count;
};

const uint RESIDUAL_LANES = 128; // invocations of a workgroup

#ifdef __cplusplus
static_assert(sizeof(ResidualRecord) == 8 && offsetof(ResidualRecord, source) == 4);
static_assert(sizeof(ResidualGroup) == 8 && offsetof(ResidualGroup, kind_count) == 4);
} // namespace v3doff
#endif

#endif
