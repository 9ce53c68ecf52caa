// SPDX-License-Identifier: BSD-2-Clause
// The intra macroblocks of a whole picture, each a prediction and a residual. They read samples of
// their neighbours, so their dispatches have an order (h264/intra/order.hpp).
#pragma once

#include <vector>

#include "h264/intra/plan.hpp"
#include "h264/residual/pack.hpp"

namespace v3doff::h264 {

// Returns IntraReads: of which neighbours a macroblock reads samples. `chroma`: 4:2:0 or 4:2:2.
// Throws INVALID_ARGUMENT for a mode that does not exist.
uint8_t intra_macroblock_reads(const IntraMacroblock &macroblock, bool chroma);

class Intra {
  public:
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // A frame or field with this number of macroblocks, none of them intra yet.
    void begin(const PictureFormat &format, uint32_t mb_width, uint32_t mb_height,
               const LaneCoefficients &coefficients, bool mbaff = false);
    // Appends macroblocks in any order, each place once. The coefficients must stay valid until
    // clear(). Throws INVALID_ARGUMENT for a macroblock that reads samples outside of the picture,
    // or of one that comes after it.
    void append(const IntraMacroblock &macroblock, const MacroblockResidual &residual);
    MacroblockBatch &residuals() { return residuals_; }
    // The number of dispatches with a barrier before each, without those of the residuals.
    uint32_t dispatches() { return order().dispatches(); }

    std::size_t size() const { return macroblocks_.size(); }
    void clear();
    // The records of the residuals are in the arena.
    void plan(const SampleMap &map, Plan &plan);
    void run_cpu(const PictureView &picture);

  private:
    const IntraOrder &order();
    void plan_residuals(const SampleMap &map, Plan &plan);

    PictureFormat format_;
    uint32_t mb_width_ = 0, mb_height_ = 0;
    bool mbaff_ = false;
    std::vector<IntraInput> macroblocks_;
    std::vector<IntraNode> nodes_;                   // of each
    const LaneCoefficients *coefficients_ = nullptr; // theirs
    MacroblockBatch residuals_;
    RowRange rows_; // of macroblocks
    IntraOrder order_;
    bool ordered_ = false;
    IntraPlanner planner_;
};

} // namespace v3doff::h264
