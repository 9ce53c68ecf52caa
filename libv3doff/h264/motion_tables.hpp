// SPDX-License-Identifier: BSD-2-Clause
// What the GPU needs beside the records of boundary strengths to sort a picture's motion
// (records/h264_motion.h): reference indices, and what they mean in each slice.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "h264/filter_strength_pack.hpp"
#include "h264/inter_kind.hpp"
#include "h264/words_frame.hpp"
#include "records/h264_motion.h"

namespace v3doff::h264 {

// Reused for other pictures; keeps its memory.
class MotionTables {
  public:
    // Keeps what is the decoder's. False: the GPU cannot sort the picture, because some macroblock
    // may be predicted from nothing, there are too many slices or tables, or the arrays changed
    // since they were packed.
    bool make(const PictureFormat &format, const WordsFrame &frame, const PackedStrengths &packed);

    // By macroblock, four bytes each. Empty where no macroblock uses the list.
    std::span<const uint32_t> indices(unsigned list) const { return indices_[list]; }
    // By macroblock, a byte each, filled up to words: the number of its table. Empty: all have the
    // first.
    std::span<const uint8_t> slices() const { return slices_; }
    // MOTION_TABLE_WORDS each, and pairs of weights behind them.
    std::span<const uint32_t> tables() const { return tables_; }
    // The first stands for the default.
    const std::vector<InterWeights> &weights() const { return weights_; }
    // The same without the first, as the shaders have them.
    std::span<const InterWeightRecord> weight_records() const { return weight_records_; }
    // Bits of the sources of all predictions of which that becomes.
    uint32_t sources(InterMode mode) const { return sources_[size_t(mode)]; }
    // The most macroblocks of one part, and 8x8 blocks of others, that have such a prediction.
    struct Parts {
        uint32_t macroblocks, blocks;
    };
    Parts parts(InterMode mode, uint32_t source) const {
        const uint64_t both = parts_[1][source] + (inter_second(mode) ? 0 : parts_[0][source]);
        return {uint32_t(both), uint32_t(both >> 32)};
    }

    // Of a block of macroblock `at`, by index; negative: the list is not used.
    int source(size_t at, unsigned list, int index) const;
    uint16_t weights(size_t at, int first, int second) const;

  private:
    // Reference indices of a slice that macroblocks may have.
    struct Indices {
        unsigned count = 0;
        std::array<uint8_t, MOTION_LIST> index;
    };
    bool keep_slices(const WordsFrame &frame, const PackedStrengths &packed);
    void keep_indices(const StrengthInput &arrays, unsigned list);
    bool indices_agree(const StrengthInput &arrays, const PackedStrengths &packed,
                       unsigned list) const;
    bool add_slice(const WordsFrame &frame, uint16_t slice);
    bool fill(const PictureFormat &format, const WordsFrame &frame, const PackedStrengths &packed,
              uint32_t table);
    void fill_pairs(const PictureFormat &format, const v3doff_h264_prediction &from,
                    const std::array<Indices, 2> &used, uint32_t table);
    bool weighs(const PictureFormat &format, const v3doff_h264_prediction &from, uint32_t table,
                int first, int second);
    void count_parts(const PackedStrengths &packed, unsigned list, uint8_t picture, uint8_t source);
    void note(InterMode mode, uint8_t source) { sources_[size_t(mode)] |= uint32_t(1) << source; }
    const uint32_t *table_of(size_t at) const {
        return &tables_[(slices_.empty() ? 0u : slices_[at]) * MOTION_TABLE_WORDS];
    }
    uint32_t pair(const uint32_t *table, int first, int second) const {
        const uint32_t pairs = table[2 * MOTION_LIST];
        return pairs ? tables_[pairs + uint32_t(first + 1) * MOTION_PAIRS + uint32_t(second + 1)]
                     : 0;
    }

    std::array<std::vector<uint32_t>, 2> indices_;
    std::vector<uint8_t> slices_;
    std::vector<uint32_t> tables_;
    std::vector<InterWeights> weights_;
    std::vector<InterWeightRecord> weight_records_;
    std::array<uint32_t, inter_modes> sources_{};
    std::array<std::array<uint64_t, MOTION_SOURCES>, 2> parts_{};    // by list
    std::array<std::array<uint32_t, 256>, 2> sources_of_pictures_{}; // bits
    std::vector<uint16_t> slice_of_table_;
    std::vector<int16_t> table_of_slice_; // -1: not met yet
};

} // namespace v3doff::h264
