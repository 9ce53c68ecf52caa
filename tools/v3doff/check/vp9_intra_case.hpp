// SPDX-License-Identifier: BSD-2-Clause
// Pictures of random VP9 intra blocks with residuals, and the ways to run them.
#pragma once

#include <optional>

#include "picture_case.hpp"
#include "v3doff/vp9_words.h"
#include "vp9_residual_inputs.hpp"

namespace tool {

struct IntraMix {
    unsigned bit_depth = 8;
    std::optional<uint32_t> tx; // the largest one; unset: anything, and lossless pictures too
};

// x and y in units of 4 samples of the plane.
struct IntraResidual {
    uint32_t plane, x, y, tx;
    ResidualKind kind;
    ResidualInput input;
};

struct IntraBlock {
    v3doff_vp9_block place;
    uint8_t mode[4], chroma_mode;
    uint32_t chroma_tx;
    uint32_t tile, tile_begin; // number, first column in units of 8 samples
    std::vector<IntraResidual> residuals;
};

// In units of 4 luma samples.
uint32_t block_columns(uint32_t size);
uint32_t block_rows(uint32_t size);

class IntraCase final : public PictureCase {
  public:
    IntraCase(const IntraMix &mix, Random &random);
    Result run(Implementation implementation, Bench &bench) const override;

  private:
    // The transforms of one plane of a block, in the order in which they are decoded.
    template <typename Visit>
    void each_transform(const IntraBlock &block, unsigned plane, Visit visit) const;
    bool half_x(unsigned plane) const;
    bool half_y(unsigned plane) const;
    void add_square(const IntraMix &mix, uint32_t row, uint32_t col, uint32_t level,
                    Random &random);
    void add_block(const IntraMix &mix, uint32_t row, uint32_t col, uint32_t size, Random &random);
    void add_residuals(IntraBlock &block, Random &random) const;
    void record(v3doff_picture *picture) const;
    void run_ffmpeg(CaseRun &run, bool simd) const override;
    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override;
    struct Ffmpeg;

    bool lossless_ = false, partial_ = false;
    uint32_t cols_, rows_;             // of 8x8 blocks
    std::vector<uint32_t> tile_begin_; // of each column of superblocks, in units of 8 samples
    std::vector<uint32_t> tile_;       // number of the tile of each column of superblocks
    std::vector<IntraBlock> blocks_;
};

template <typename Visit>
void IntraCase::each_transform(const IntraBlock &block, unsigned plane, Visit visit) const {
    const auto &place = block.place;
    const uint32_t step = 1u << (plane ? block.chroma_tx : place.tx);
    const uint32_t end_x =
        std::min(2 * (cols_ - place.col), block_columns(place.size)) >> half_x(plane);
    const uint32_t end_y =
        std::min(2 * (rows_ - place.row), block_rows(place.size)) >> half_y(plane);
    for (uint32_t y = 0; y < end_y; y += step)
        for (uint32_t x = 0; x < end_x; x += step)
            visit(x, y);
}

} // namespace tool
