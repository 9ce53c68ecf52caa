// SPDX-License-Identifier: BSD-2-Clause
// Words of a picture to records: every block is checked, since a wrong one would be read or written
// where no picture is.
#pragma once

#include <array>
#include <span>

#include "v3doff/vp9_words.h"
#include "vp9/filter/marks.hpp"
#include "vp9/inter/inter.hpp"
#include "vp9/intra/intra.hpp"
#include "vp9/residual/words.hpp"

namespace v3doff::vp9 {

// What a picture has besides its words.
struct WordsFrame {
    InterSources references;
    bool lossless = false;
    bool partial = false; // samples that no block covers stay
    DecoderTransforms transforms;
    int16_t dequantisation[8][2][2] = {};
    uint32_t filtered_rows = 0, sharpness = 0; // of superblocks
    uint8_t filter_level[8][4][2] = {};
};

class WordsExpander {
  public:
    WordsExpander(const PictureView &picture, const WordsFrame &frame, InterWords &inter,
                  Residual &inter_residuals, Intra &intra, const FilterMarks &marks);
    // A lane. first: number among the picture's of its first coefficient.
    void expand(std::span<const uint32_t> blocks, std::span<const uint32_t> transforms,
                std::span<const uint32_t> coefficients, uint32_t first);
    // Whether residuals are in the picture that decoders differ in.
    bool decoders_own() const { return decoders_own_; }

  private:
    // The two words of a block that say what it is.
    struct Block {
        uint32_t place, kind;
        uint32_t row() const { return unpack(place, BLOCK_ROW); }
        uint32_t col() const { return unpack(place, BLOCK_COL); }
        uint32_t size() const { return unpack(place, BLOCK_SIZE); }
        bool intra() const { return unpack(place, BLOCK_IS_INTRA); }
        bool flag() const { return unpack(place, BLOCK_FLAG); }
        uint32_t tx() const { return unpack(kind, BLOCK_TX); }
        uint32_t chroma_mode() const { return unpack(kind, BLOCK_CHROMA_MODE); }
        uint32_t segment() const { return unpack(kind, BLOCK_SEGMENT); }
        // What the loop filter's edges depend on (FilterMarks::add), and its level.
        uint32_t shape() const { return size() << 3 | (kind >> 20 & 7); }
        uint32_t level() const { return kind >> 23; }
    };
    // Transform blocks of a plane of an intra block, in units of 4 of its samples.
    struct IntraPlace {
        uint32_t tx, first_x, first_y, end_x, end_y; // ends: from the first one on
        uint32_t width, count, superblock;           // of the block; how many there are
        // The samples beside a block count that lie in 8x8 blocks of the picture.
        uint32_t right, below;
    };
    [[noreturn]] void refuse(const Block &block) const;
    void mark(const Block &block);
    void add_inter(const Block &block, const uint32_t *words);
    void add_other(const uint32_t *words, uint32_t which);
    void add_intra(const Block &block);
    IntraPlace place_intra(const Block &block, unsigned plane) const;
    void add_intra_plane(const Block &block, const IntraPlace &in, unsigned plane);
    void add_transform(const uint32_t *words, uint32_t segment, Residual &to);
    void add_large(const ResidualWords &words, uint32_t kind, ResidualWordsRecord record,
                   Residual &to);
    ResidualWords words_of(uint32_t place, uint32_t eob, uint32_t count, uint32_t segment) const;

    const bool lossless_;
    const uint8_t (&kinds_)[4][4][4]; // of residuals, by size, type, and among which ends of block
    InterWords &inter_;
    Residual &inter_residuals_;
    Intra &intra_;
    FilterMarks marks_;
    uint8_t levels_[5][8 * 2] = {}; // 0 intra, 1 + a reference, no reference; Block::level()
    const int depth_;
    const uint32_t planes_, cols_, rows_, superblock_cols_;
    struct Plane {
        uint32_t width = 0, height = 0; // 4x4 blocks that may be written
        unsigned shift_x = 0, shift_y = 0;
    };
    std::array<Plane, 4> plane_{};        // 3 is none: it has no blocks
    std::array<bool, 4> has_reference_{}; // by number
    // What coefficients are multiplied by, as records have it, and up to which sum of their tokens
    // they are certainly not too large.
    struct alignas(32) Factors {
        uint32_t packed, most[4]; // by size
    };
    Factors factors_[8][4]; // by segment and plane

    const uint32_t *transform_ = nullptr, *transforms_end_ = nullptr; // an intra block's
    std::span<const uint32_t> coefficients_;                          // the lane's
    uint32_t coefficient_ = 0, first_ = 0;
    DecoderResiduals raw_;
    bool decoders_own_ = false;
};

} // namespace v3doff::vp9
