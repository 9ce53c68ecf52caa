// SPDX-License-Identifier: BSD-2-Clause
// Words of a picture to records: every block is checked, since a wrong one would be read or written
// where no picture is.
#pragma once

#include <array>
#include <span>

#include "vp9/inter_position.hpp"
#include "vp9/intra_reference.hpp"
#include "vp9/residual_words.hpp"
#include "vp9/words.hpp"

namespace v3doff::vp9 {

class WordsExpander {
  public:
    WordsExpander(const PictureView &picture, const WordsFrame &frame, PlainArray<InterBlock> &inter,
                  Residual &residual, Intra &intra);
    void expand(std::span<const uint32_t> blocks, std::span<const uint32_t> transforms,
                std::span<const uint32_t> coefficients);

  private:
    struct Block {
        uint32_t row, col, size, segment, kind;
        bool intra, flag;
        // Of 4x4 luma blocks.
        uint32_t columns() const { return 1u << block_sizes[size].width_log2 >> 2; }
        uint32_t rows() const { return 1u << block_sizes[size].height_log2 >> 2; }
    };
    Block next_block();
    void add_inter(const Block &block);
    void add_intra(const Block &block);
    void add_intra_plane(const Block &block, unsigned plane, uint32_t tx);
    void add_intra_transform(const Block &block, unsigned plane, uint32_t tx, uint32_t x, uint32_t y,
                             bool more_right);
    bool transform_left() const { return transform_ < transforms_end_; }
    ResidualWords read_transform(uint32_t segment);

    const PictureView &picture_;
    const WordsFrame &frame_;
    PlainArray<InterBlock> &inter_;
    Residual &residual_;
    Intra &intra_;
    const int depth_;
    const uint32_t cols_, rows_, superblock_cols_;

    std::span<const uint32_t> words_, transforms_, coefficients_;
    size_t word_ = 0, transform_ = 0, transforms_end_ = 0;
    uint32_t coefficient_ = 0;
    DecoderResiduals raw_;
};

} // namespace v3doff::vp9
