// SPDX-License-Identifier: BSD-2-Clause
// Inter blocks of a picture that was recorded as words, sorted by what workgroups need to have in
// common. Most read nothing near the reference's edge: the kernels find out from their words where
// they lie and what they read, for all planes. The others are left to InterPredictor.
#pragma once

#include <array>
#include <span>

#include "picture/plain_array.hpp"
#include "picture/plan.hpp"
#include "records/vp9_inter.h"
#include "vp9/inter/position.hpp"

namespace v3doff::vp9 {

class InterWords {
  public:
    // Blocks of one size from one reference whose vectors have fractions in the same planes: a
    // number that is put together of
    static constexpr uint32_t down_bit = 0, across_bit = 2, size_bit = 4, reference_bit = 8,
                              average_bit = 10, buckets = 1 << 11;
    // and of each direction, whether the fraction is one of luma, and one of chroma.
    static constexpr uint32_t of_chroma = 1, of_luma = 2;

    // A reference that is scaled or missing has no block that is sorted here. Throws
    // INVALID_ARGUMENT if one does not fit.
    void begin(const PictureFormat &picture, std::span<const PictureFormat *const> references);
    void clear();
    size_t size() const { return blocks_.size() + others_.size(); }

    // So many words of blocks follow, each block to be added once for each of its references.
    void make_room(size_t words) { blocks_.make_room(words / 2 + 1); }
    // A block whose place was checked, from its first or its second reference. False: it is none of
    // those that are sorted here.
    [[gnu::always_inline]] bool add(const uint32_t *words, uint32_t which) {
        const uint32_t place = words[0], kind = words[2], vector = words[3 + which];
        const uint32_t size = unpack(place, BLOCK_SIZE), reference = block_reference(kind, which);
        // In the reference, in 1/8 sample.
        const uint32_t x = unpack(place, BLOCK_COL) * 64 + uint(unpack_signed(vector, LOWER_HALF));
        const uint32_t y = unpack(place, BLOCK_ROW) * 64 + uint(unpack_signed(vector, UPPER_HALF));
        const Room &room = room_[reference][size];
        if (x - least_start >= room.x || y - least_start >= room.y) return false;
        const uint32_t bucket = which << average_bit | reference << reference_bit |
                                size << size_bit | across_[vector & 15] << across_bit |
                                down_[vector >> 16 & 15] << down_bit;
        count_[bucket]++;
        *blocks_.append_in_room(1) = {place, vector, kind, bucket};
        return true;
    }
    // The others, from a reference that there is; the words stay.
    void add_other(const uint32_t *words, uint32_t which) { *others_.append(1) = {words, which}; }

    std::span<const InterRecord> blocks() const { return blocks_.span(); }
    const std::array<uint32_t, buckets> &counts() const { return count_; }
    // Whether there are any from one reference, by the bits of a bucket from reference_bit on.
    bool has(uint32_t reference) const {
        uint32_t any = 0;
        for (uint32_t i = 0; i < 1u << reference_bit; i++)
            any |= count_[(reference << reference_bit) + i];
        return any;
    }
    struct Other {
        const uint32_t *words;
        uint32_t which;
    };
    std::span<const Other> others() const { return others_.span(); }
    static InterBlock block_of(const InterRecord &record);
    InterPredictor::Pieces pieces(const InterBlock &block) const {
        return predictors_[block.reference].pieces(block);
    }

  private:
    // What reads nothing outside for certain, of luma: from where a block is predicted at least,
    // and how far it ends from the reference's end. Half of it is still more than chroma's kernels
    // need.
    static constexpr uint32_t least_start = 6 * 8, least_end_x = 24, least_end_y = 8;

    struct Room {
        uint32_t x = 0, y = 0; // from least_start on a block of this size may begin
    };
    Room room_[4][16];
    uint8_t across_[16] = {}, down_[16] = {}; // by vector: of_chroma, of_luma
    std::array<uint32_t, buckets> count_{};
    std::array<InterPredictor, inter_references> predictors_;
    PlainArray<InterRecord> blocks_;
    PlainArray<Other> others_;
};

} // namespace v3doff::vp9
