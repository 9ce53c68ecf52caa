// SPDX-License-Identifier: BSD-2-Clause
// What reference indices mean in each slice: what the GPU needs beside a picture's macroblocks to
// sort their motion (records/h264_motion.h).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "h264/inter/kind.hpp"
#include "h264/inter/reference.hpp"
#include "h264/lines.hpp"
#include "h264/macroblocks/table.hpp"
#include "picture/surface.hpp"
#include "records/h264_inter.h"
#include "records/h264_motion.h"
#include "v3doff/h264_words.h"

namespace v3doff::h264 {

// What a picture is predicted from.
inline constexpr uint32_t no_own_reference = UINT32_MAX;

// Predictions of a frame name reference n as n, those of a field its top field as 2 * n, its bottom
// field as 2 * n + 1.
struct PictureSources {
    Lines lines; // of the picture
    std::array<std::shared_ptr<Surface>, V3DOFF_H264_REFERENCES> reference;
    uint32_t own = no_own_reference; // the reference that is the picture itself; it is null
    const v3doff_h264_prediction *predictions = nullptr; // by slice, the caller's
    const int16_t (*field_implicit)[2][32][32] = nullptr; // the same of field macroblocks

    // What v3doff_h264_prediction names; NO_REFERENCE is none. Of the picture itself it is the
    // other field.
    bool has(uint32_t number) const {
        const uint32_t i = number >> int(lines.field);
        return i < reference.size() && (reference[i] || (i == own && (number & 1) != lines.parity));
    }
};

// What a slice's reference indices mean to some of its macroblocks: to frame macroblocks and to
// those of a field; to the upper and to the lower field macroblocks of an MBAFF frame.
enum class MotionUnit : unsigned { frame, upper_field, lower_field };
inline MotionUnit motion_unit(bool is_field, unsigned lower) {
    return is_field ? MotionUnit(1 + lower) : MotionUnit::frame;
}

// Reused for other pictures; keeps its memory.
class MotionTables {
  public:
    // Makes the tables of macroblocks that are all predicted from something, or not at all. Throws
    // INVALID_ARGUMENT for one of a reference that is missing or of weights that a slice cannot
    // have, and LIMIT for slices with too many different ones.
    void make(const PictureFormat &format, const PictureSources &from,
              const MacroblockTable &macroblocks);

    // By macroblock, filled up to words: the number of its table. Empty: all have the first.
    std::span<const uint16_t> numbers() const { return numbers_; }
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

    // What a block of macroblock `at` is predicted from, by index; negative: the list is not used.
    int source(size_t at, MotionUnit unit, unsigned list, int index) const;
    uint16_t weights(size_t at, MotionUnit unit, int first, int second) const;

  private:
    // Reference indices that macroblocks have and that a slice has a source for.
    struct Indices {
        unsigned count = 0;
        std::array<uint8_t, MOTION_LIST> index;
    };
    struct SliceUnit;
    void find_tables(const PictureSources &from, const MacroblockTable &macroblocks);
    uint16_t table_of(const PictureSources &from, uint16_t slice);
    void fill(const PictureFormat &format, const PictureSources &from,
              const MacroblockTable &macroblocks, uint32_t table);
    std::array<Indices, 2> fill_sources(const PictureFormat &format, const PictureSources &from,
                                        const MacroblockTable &macroblocks, uint32_t table,
                                        bool is_field);
    void fill_pairs(const PictureFormat &format, const SliceUnit &from,
                    const std::array<Indices, 2> &used);
    bool weighs(const PictureFormat &format, const SliceUnit &from, int first, int second);
    void check_sources(const PictureSources &from, const MacroblockTable &macroblocks) const;
    void note(InterMode mode, uint8_t source) { sources_[size_t(mode)] |= uint32_t(1) << source; }
    size_t number_at(size_t at) const { return numbers_.empty() ? 0u : numbers_[at]; }
    const uint32_t *table_at(size_t at) const {
        return &tables_[number_at(at) * MOTION_TABLE_WORDS];
    }
    uint32_t pair(const uint32_t *table, MotionUnit unit, int first, int second) const {
        const uint32_t pairs = table[2 * MOTION_LIST + unsigned(unit)];
        return pairs ? tables_[pairs + uint32_t(first + 1) * MOTION_PAIRS + uint32_t(second + 1)]
                     : 0;
    }

    std::vector<uint16_t> numbers_;
    std::vector<uint32_t> tables_;
    std::vector<InterWeights> weights_;
    std::vector<InterWeightRecord> weight_records_;
    std::array<uint32_t, inter_modes> sources_{};
    std::array<std::array<uint64_t, MOTION_SOURCES>, 2> parts_{}; // by list
    // Bits, of frame and of field macroblocks.
    std::array<std::array<std::array<uint32_t, MOTION_LIST>, 2>, 2> sources_of_indices_{};
    std::vector<uint16_t> slice_of_table_;
    std::vector<int32_t> table_of_slice_; // -1: not met yet
    bool lacks_sources_ = false;          // of an index that some macroblock has
};

} // namespace v3doff::h264
