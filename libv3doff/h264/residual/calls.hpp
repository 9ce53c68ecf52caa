// SPDX-License-Identifier: BSD-2-Clause
// The H.264 residuals of one picture, recorded block by block: records in lanes, packed for the GPU
// at submit.
#pragma once

#include <array>
#include <vector>

#include "common/lanes.hpp"
#include "h264/residual/groups.hpp"
#include "h264/residual/pack.hpp"
#include "h264/residual/predict.hpp"
#include "picture/picture.hpp"

namespace v3doff::h264 {

class ResidualCalls final : public Stage {
  public:
    static bool supports(const PictureFormat &format);
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // Says that so many blocks of 4x4 or 8x8 follow; a bypass of 8x8 counts as four. Throws LIMIT.
    void reserve(uint32_t lane, const PictureView &picture, size_t blocks);

    // The coefficients are copied; clearing them is the caller's. The block stands at a multiple of
    // its size and lies in the plane's memory (residual_fits).
    void record(uint32_t lane, const PictureView &picture, const ResidualInput &block);

    uint64_t records() const override;
    void clear() override;
    void plan(const SampleMap &map, Plan &plan) override;
    uint64_t take_back(uint32_t lane, unsigned plane, const Rectangle &area,
                       const PictureView &picture) override;
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    void run_cpu(const PictureView &picture) override;

  private:
    struct Lane {
        ResidualBatch batch;
        size_t added = 0; // since clear(), struck ones too
        LaneRows rows;
        // Has the first `indexed` blocks of each kind: most pictures never ask.
        BlockIndex<ResidualBatch::Handle> index;
        std::array<uint32_t, RESIDUAL_KINDS> indexed{};
    };
    static void record_one(Lane &lane, const ResidualInput &block, int bit_depth);
    static void record_bypass_8x8(Lane &lane, const ResidualInput &block, int bit_depth);
    static void index_rest(Lane &lane, const PictureView &picture);

    Lanes<Lane> lanes_;
};

// Whether a block, or anything of `width` x `height` from there on, lies in the plane's memory.
bool residual_fits(const PictureView &picture, const ResidualPlace &place, uint width, uint height);

// These record what a decoder's calls add. The blocks lie in the plane's memory (residual_fits),
// and the caller holds the lane. Coefficients are cleared, unless LIMIT is thrown.
void record_block(Picture &picture, uint32_t lane, const ResidualPlace &place, ResidualKind kind,
                  void *coefficients);

// The blocks of a macroblock, which is at the place; add8 is placed in plane 1.
void record_macroblock(Picture &picture, uint32_t lane, const ResidualPlace &place,
                       MacroblockGroup group, void *coefficients, const uint8_t *counts);

// A lossless block: predicts it now, and records the sums of its differences.
void record_prediction(Picture &picture, uint32_t lane, const ResidualPlace &place,
                       const Prediction &prediction, void *coefficients);

} // namespace v3doff::h264
