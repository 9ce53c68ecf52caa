// SPDX-License-Identifier: BSD-2-Clause
// Which kernel transforms a block, how many invocations share it, and what they cost.
#pragma once

#include <array>

#include "picture/format.hpp"
#include "records/vp9_residual.h"

namespace v3doff::vp9 {

// What a kind stands for. corner: the edge of the corner that holds the coefficients; 0 where only
// DC counts, or for residuals as they are (raw).
struct ResidualKindShape {
    int tx, type, corner;
    bool raw = false;
};
const ResidualKindShape &residual_kind_shape(uint kind);

uint residual_kind(int tx, int type, int eob);
uint residual_block_words(uint kind, int bit_depth); // of coefficients in the arena
uint residual_lanes_log2(uint kind, int bit_depth);  // invocations that share a block
uint residual_group_cost(uint kind);                 // instructions of a workgroup

// Shaders of the DCT and of the ADST: vp9/residual.comp, vp9/residual_adst.comp.
using ResidualShaders = std::array<uint32_t, 2>;
// What they read and write: batches of calls; words; words, and residuals alone in scratch memory.
enum class ResidualUse { calls, words, alone };
const ResidualShaders &residual_shaders(ResidualUse use, uint32_t bit_depth);
// Each one's first kind. The last kinds are the largest blocks.
inline constexpr uint residual_shader_kinds[3] = {0, RESIDUAL_ADST_4, RESIDUAL_KINDS};

} // namespace v3doff::vp9
