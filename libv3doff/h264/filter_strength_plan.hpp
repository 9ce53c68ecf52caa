// SPDX-License-Identifier: BSD-2-Clause
// Boundary strengths for the GPU: one dispatch, whose records the deblocking passes read.
#pragma once

#include "h264/filter_strength_pack.hpp"
#include "picture/plan.hpp"

namespace v3doff::h264 {

// Numbers of the shaders for pictures that use one list, or two.
struct StrengthShaders {
    uint32_t one_list = 0, two_lists = 0;
};

// Appends what the pass reads to the arena. Call it for all parts of a picture first: nothing may
// be appended behind reserved room.
StrengthPush append_strengths(const PackedStrengths &packed, Plan &plan);

// Reserves room for the records, of an MBAFF frame FilterMbaffMb, and appends the dispatch;
// returns the records' place in the arena, a multiple of 16 words.
uint32_t plan_strengths(const PackedStrengths &packed, StrengthPush push,
                        const StrengthShaders &shaders, Plan &plan);

} // namespace v3doff::h264
