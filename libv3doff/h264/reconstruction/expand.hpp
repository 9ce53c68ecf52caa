// SPDX-License-Identifier: BSD-2-Clause
// Turns words of a picture into records. Every macroblock is checked, because a wrong one would
// read or write outside the picture.
#pragma once

#include <span>

#include "h264/intra/reference.hpp"
#include "h264/macroblocks/table.hpp"
#include "h264/residual/batch.hpp"
#include "v3doff/h264_words.h"

namespace v3doff::h264 {

// Samples of a macroblock, all planes.
uint32_t macroblock_samples(const PictureFormat &format);

// What its coefficients, or samples of PCM, take at most.
inline uint32_t most_coefficient_words(const PictureFormat &format) {
    return macroblock_samples(format) * format.sample_bytes() / 2;
}

class Intra;

class WordsExpander {
  public:
    // present: by macroblock in the order of the table, 0; others for those that the words have.
    WordsExpander(const PictureFormat &format, const MacroblockTable &macroblocks, Intra &intra,
                  MacroblockBatch &residuals, uint8_t *present);
    // A lane. first_coefficient: where its coefficients are among those of all lanes.
    void expand(std::span<const uint32_t> macroblocks, std::span<const uint32_t> coefficients,
                uint32_t first_coefficient);
    size_t macroblocks() const { return count_; }
    size_t predicted() const { return predicted_; } // from other pictures

  private:
    uint32_t next();
    template <bool mbaff>
    void add(uint32_t place);
    void check_motion(size_t at, uint32_t count) const;
    uint32_t run_of(uint32_t place, uint32_t most);
    uint32_t run_of_pairs(uint32_t place, uint32_t x, uint32_t y);
    void read_residual(uint32_t place, MacroblockResidual &residual);
    void add_intra(uint32_t place, uint32_t x, uint32_t y, bool is_field);
    void take_coefficients(uint32_t words, MacroblockResidual &to);

    const MacroblockTable &table_;
    Intra &intra_;
    MacroblockBatch &residuals_;             // of inter macroblocks
    const uint32_t block_words_, pcm_words_; // of a 4x4 block, of PCM
    // Bits of coded blocks, 16 a plane: those that there are, those that have 8x8 transforms.
    uint64_t possible_ = 0, with_8x8_ = 0;
    uint8_t *present_; // by macroblock
    size_t count_ = 0, predicted_ = 0;

    std::span<const uint32_t> words_, coefficients_;
    size_t word_ = 0, coefficient_ = 0;
    uint32_t first_coefficient_ = 0;
};

} // namespace v3doff::h264
