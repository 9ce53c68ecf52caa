// SPDX-License-Identifier: BSD-2-Clause
// The intra blocks of one picture, each a prediction and a residual. A block reads samples of the
// blocks beside and above it, so superblocks are done level by level: one whose neighbours on the
// left, above and above left have no intra blocks can be done first.
#pragma once

#include <array>
#include <vector>

#include "picture/stage.hpp"
#include "vp9/intra_reference.hpp"
#include "vp9/residual_words.hpp"

namespace v3doff::vp9 {

class Intra final : public Stage {
  public:
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // Superblocks of a picture with these many, none with a block yet.
    void begin(uint32_t cols, uint32_t rows);
    // Blocks of a superblock follow each other, in the order in which they are decoded. Throws
    // INVALID_ARGUMENT where they do not.
    void append(uint32_t superblock, const IntraInput &block) { add(superblock, block); }
    void append(uint32_t superblock, const IntraInput &block, const ResidualWords &residual,
                DecoderResiduals &raw, int bit_depth);

    uint64_t records() const override;
    void clear() override;
    void plan(const SampleMap &map, Plan &plan) override;
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    void run_cpu(const PictureView &picture) override;

    // 1 and up; 0: the superblock has no intra blocks. For statistics and tests too.
    const std::vector<uint16_t> &levels();

  private:
    static constexpr uint32_t no_kind = RESIDUAL_KINDS;
    struct Block {
        IntraInput input;
        ResidualBatch::Handle residual;
    };
    struct Range {
        uint32_t first = 0, end = 0;
    };
    using Planes = std::array<Range, max_planes>;
    Block &add(uint32_t superblock, const IntraInput &block);
    static IntraRecord record_of(const Block &block);
    struct Scratch {
        uint32_t offset[max_planes] = {}, part = 0;
    };
    Scratch plan_residuals(const SampleMap &map, Plan &plan);

    uint32_t cols_ = 0, rows_ = 0;
    std::vector<Planes> superblocks_; // blocks of each
    std::array<std::vector<Block>, max_planes> blocks_;
    ResidualBatch residuals_;
    std::vector<ResidualDispatch> dispatches_; // of the last plan; keeps its memory
    std::vector<uint16_t> levels_;             // the same
};

} // namespace v3doff::vp9
