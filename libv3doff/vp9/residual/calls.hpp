// SPDX-License-Identifier: BSD-2-Clause
// The inverse transforms of one picture, recorded block by block: batches in lanes, packed for the
// GPU at submit.
#pragma once

#include <vector>

#include "common/lanes.hpp"
#include "picture/stage.hpp"
#include "vp9/residual/batch.hpp"

namespace v3doff::vp9 {

class ResidualCalls final : public Stage {
  public:
    static bool supports(const PictureFormat &format);
    // As Residual::shaders().
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // The coefficients are copied, and cleared at their source. Throws LIMIT.
    void record(uint32_t lane, const PictureView &picture, const ResidualInput &block,
                void *coefficients);

    uint64_t records() const override;
    void clear() override;
    std::optional<RowRange> extent(const PictureFormat &format) const override;
    void plan(const SampleMap &map, Plan &plan) override;
    uint64_t run_before_gpu(const PictureView &picture) override;
    bool runs_before_gpu() const override { return large_blocks(); }
    uint64_t take_back(uint32_t lane, unsigned plane, const Rectangle &area,
                       const PictureView &picture) override;
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    void run_cpu(const PictureView &picture) override;

  private:
    // A block with coefficients too large for the GPU's arithmetic (residual_fits).
    struct LargeBlock {
        ResidualInput block;
        std::vector<int32_t> coefficients;
    };
    // Which block of a lane: one of the batch, or of the large ones (kind is no_kind).
    static constexpr uint32_t no_kind = RESIDUAL_KINDS;
    using BlockName = ResidualBatch::Handle;
    struct Lane {
        ResidualBatch batch;
        std::vector<LargeBlock> large;
        BlockIndex<BlockName> index;
        LaneRows rows; // of the batch
    };
    uint64_t large_blocks() const;
    uint64_t run_large(LargeBlock &large, const PictureView &picture) const;

    Lanes<Lane> lanes_;
};

} // namespace v3doff::vp9
