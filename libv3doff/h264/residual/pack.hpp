// SPDX-License-Identifier: BSD-2-Clause
// Packs H.264 residual blocks for the GPU: sorted by kind, their coefficients reduced to the corner
// that holds any, in the order in which the kernels read them. No Vulkan here.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "common/residual_lists.hpp"
#include "h264/residual/batch.hpp"
#include "h264/residual/reference.hpp"
#include "records/h264_residual.h"

namespace v3doff::h264 {

// Where a block's samples are. x and y are those of its first one; its rows follow each other, or
// are every second one where field is 1: then y may be odd.
struct ResidualPlace {
    uint plane, x, y, field;
};

struct ResidualInput {
    ResidualPlace place;
    ResidualKind kind;
    const void *coefficients;
};

// Records of one lane of recording. Thread-safety: none; one batch a lane.
class ResidualBatch : public ResidualLists<RESIDUAL_KINDS> {
  public:
    // Copies what counts of the block, which is not an 8x8 bypass: that is four of 4x4. A handle's
    // kind is one of shaders/records/h264_residual.h.
    Handle add(const ResidualInput &block, int bit_depth);

    static uint edge(uint kind); // samples

    // Adds a block to its plane on the CPU; a struck one does nothing.
    void run_cpu(Handle handle, void *plane, std::ptrdiff_t stride_bytes, int bit_depth) const;

    // The place of a block, nothing if it is struck.
    std::optional<ResidualPlace> place(Handle handle) const;

    // The block as the decoder handed it over, or one that adds the same; nothing if it is struck.
    // The block's coefficients are those in the second argument.
    std::optional<ResidualInput> unpack(Handle handle, int bit_depth, void *coefficients) const;

  private:
    void add_4x4(const ResidualPlace &place, const void *coefficients, bool high);
};

// Number of the shader that adds residuals to the picture.
uint32_t residual_shader(uint32_t bit_depth);

// Appends records, coefficients and groups of all batches to the arena, and a dispatch that adds
// them to the picture; more than one only where it would run for long.
void plan_residuals(std::span<const ResidualBatch *const> batches, const SampleMap &map,
                    Plan &plan);
// The same for macroblocks, whose records are in the arena, with dispatches that are `like` this
// one.
void plan_residuals(const MacroblockBatch &macroblocks, const PictureFormat &format,
                    const Dispatch &like, Plan &plan);
// A dispatch that adds them to the picture.
Dispatch residual_dispatch(const SampleMap &map);

} // namespace v3doff::h264
