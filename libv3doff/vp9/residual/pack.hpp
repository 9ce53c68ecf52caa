// SPDX-License-Identifier: BSD-2-Clause
// Transform blocks on their way to the GPU: sorted by kind, their coefficients cut down to the
// corner that holds any, in the order the kernels read. No Vulkan here.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/residual_lists.hpp"
#include "records/vp9_residual.h"

namespace v3doff::vp9 {

// One block as a decoder hands it over: numbers as in residual_reference.hpp, x and y in samples.
struct ResidualInput {
    uint plane, x, y;
    int tx, type, eob;
    const void *coefficients;
};

// Records of one lane of recording. Thread-safety: none; one batch a lane.
class ResidualBatch : public ResidualLists<RESIDUAL_KINDS> {
  public:
    // Copies what counts of the block. The caller has made sure that residual_fits().
    Handle add(const ResidualInput &block, int bit_depth);

    // Adds a block to its plane on the CPU; a struck one does nothing.
    void run_cpu(Handle handle, void *plane, std::ptrdiff_t stride_bytes, int bit_depth) const;

    // The block as it could have been handed over: with an end of block of its class, and for a DC
    // block a coefficient that gives its residual. Nothing for a struck one.
    std::optional<ResidualInput> unpack(Handle handle, int bit_depth,
                                        std::vector<std::int32_t> &coefficients) const;
};

// With more than 8 bits a block can hold coefficients for which 32 bits do not suffice on the GPU
// (shaders/vp9/residual_rotate.glsl). No intermediate value exceeds the sum of their magnitudes:
// every node of every transform has weights of at most 1. Largest sum: a value below 2^17, less the
// rounding of the passes before it and the bias of the last one.
inline constexpr uint32_t largest_sum = 130000;
bool residual_fits(const ResidualInput &block, int bit_depth);

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

// Of the DCT and of the ADST: vp9/residual.comp, vp9/residual_adst.comp.
using ResidualShaders = std::array<uint32_t, 2>;
inline constexpr uint residual_shader_kinds[3] = {0, RESIDUAL_ADST_4,
                                                  RESIDUAL_KINDS}; // each one's first
uint residual_group_cost(uint kind);                               // instructions of a workgroup

// Appends records, coefficients and groups of all batches to the arena, and dispatches that are
// `like` this one: nothing, or one of each shader; more only where one would run for long.
void residual_plan(std::span<const ResidualBatch *const> batches, const ResidualShaders &shaders,
                   Dispatch like, int bit_depth, Plan &plan);

} // namespace v3doff::vp9
