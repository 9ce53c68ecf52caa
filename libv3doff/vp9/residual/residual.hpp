// SPDX-License-Identifier: BSD-2-Clause
// The inverse transforms of one picture: records in lanes, packed for the GPU at submit.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "picture/stage.hpp"
#include "vp9/residual/words.hpp"

namespace v3doff::vp9 {

class Residual final : public Stage {
  public:
    static bool supports(const PictureFormat &format);
    // What inter blocks need: all DCT but in lossless frames (VP9 bitstream specification, 6.4.24).
    static std::vector<uint32_t> shaders(const PictureFormat &format);
    static std::vector<uint32_t> words_shaders(const PictureFormat &format); // of whole pictures

    // The coefficients are copied, and cleared at their source. Throws LIMIT.
    void record(uint32_t lane, const PictureView &picture, const ResidualInput &block,
                void *coefficients);

    // For one thread that knows all blocks of a picture, and keeps the coefficients. Nothing is
    // taken back later.
    ResidualWordsBatch &begin_whole(const LaneCoefficients &coefficients);

    uint64_t records() const override;
    void clear() override;
    std::optional<RowRange> extent(const PictureFormat &format) const override;
    void plan(const SampleMap &map, Plan &plan) override;
    uint64_t run_before_gpu(const PictureView &picture) override;
    bool runs_before_gpu() const override;
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
        RowRange rows[max_planes]; // of the batch
    };
    void run_large(LargeBlock &large, const PictureView &picture) const;
    uint64_t run_all_large(Lane &lane, const PictureView &picture) const;
    void run_batch(const ResidualBatch &batch, const PictureView &picture) const;

    std::array<std::unique_ptr<Lane>, V3DOFF_LANES> lanes_; // made on first use
    ResidualWordsBatch whole_;                              // blocks of a whole picture
    const LaneCoefficients *coefficients_ = nullptr;        // theirs
};

} // namespace v3doff::vp9
