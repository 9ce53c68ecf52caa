// SPDX-License-Identifier: BSD-2-Clause
// The intra macroblocks of one picture, each a prediction and a residual. They read samples of
// their neighbours, so their dispatches have an order (h264/intra/order.hpp).
#pragma once

#include <vector>

#include "h264/intra/plan.hpp"
#include "h264/lines.hpp"
#include "h264/residual/pack.hpp"
#include "picture/stage.hpp"

namespace v3doff::h264 {

class Intra final : public Stage {
  public:
    static bool supports(const PictureFormat &format);
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // A frame or field with this number of macroblocks, none of them intra yet.
    void begin(const PictureFormat &format, const Lines &lines, uint32_t mb_width,
               uint32_t mb_height, const LaneCoefficients &coefficients);
    // Appends macroblocks in any order, each place once. The coefficients must stay valid until
    // clear(). Throws INVALID_ARGUMENT for a macroblock that reads samples outside of the picture.
    void append(const IntraMacroblock &macroblock, const MacroblockResidual &residual);
    MacroblockBatch &residuals() { return residuals_; }
    // The number of dispatches with a barrier before each, without those of the residuals.
    uint32_t dispatches() { return order().dispatches(); }

    uint64_t records() const override { return macroblocks_.size(); }
    void clear() override;
    void plan(const SampleMap &map, Plan &plan) override;
    bool save(const PictureFormat &, DumpWriter &) const override { return true; } // as words
    void run_cpu(const PictureView &picture) override;

  private:
    const IntraOrder &order();
    void plan_residuals(const SampleMap &map, Plan &plan);

    PictureFormat format_;
    Lines lines_;
    uint32_t mb_width_ = 0, mb_height_ = 0;
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
