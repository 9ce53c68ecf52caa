// SPDX-License-Identifier: BSD-2-Clause
// The macroblocks of a frame or a field and their motion, as the device reads them: what boundary
// strengths are derived from, and what is sorted for inter prediction. Made of a decoder's arrays,
// which are not needed afterwards.
#pragma once

#include <array>
#include <vector>

#include "h264/macroblocks/slice_tables.hpp"
#include "records/h264_macroblocks.h"

namespace v3doff::h264 {

// Reused for other pictures; keeps its memory.
struct MacroblockTable {
    uint32_t mb_width = 0;
    uint32_t top = 0, rows = 0; // the first row of macroblocks; how many there are so far
    bool above = false;         // the first row is not filtered itself, see begin()
    bool field = false;
    bool mbaff = false; // macroblocks are in pairs, upper ones first
    bool luma_only = false, filtered = false;
    bool two_lists = false;                    // some macroblock uses list 1
    std::vector<MacroblockRecord> macroblocks; // in the order of place(); at least count()
    std::vector<uint32_t> motion;              // at least motion_words
    size_t motion_words = 0;
    SliceTables tables; // of pictures that are filtered

    // For inter prediction. Reference indices of 8x8 blocks, by macroblock as bytes, of a list that
    // there are arrays of; and slice numbers.
    std::array<std::vector<uint32_t>, 2> indices;
    std::vector<uint16_t> slices;
    size_t slice_count = 0;
    // By list and by index as a byte: the macroblocks of one part that have it, and in the upper
    // half the 8x8 blocks of others.
    static constexpr uint64_t one_block_uses = uint64_t(1) << 32;
    std::array<std::array<uint64_t, 256>, 2> used;

    uint32_t count() const { return mb_width * rows; }
    // Of the macroblock in column x and row y of the picture.
    size_t place(uint32_t x, uint32_t y) const {
        return mbaff ? (size_t(y / 2) * mb_width + x) * 2 + y % 2 : size_t(y - top) * mb_width + x;
    }

    // Empties it; `row` will be the first one that is filtered. A row above it is taken too,
    // because the edges between the two depend on both.
    void begin(const Arrays &input, uint32_t row);
    // Appends rows of macroblocks until `end`, in an MBAFF frame of pairs. Null, or what is wrong
    // with the input: then nothing was appended. Whatever a shader would follow out of its memory
    // is checked: slice numbers, and where strengths are derived QP and reference indices.
    const char *add_rows(const Arrays &input, uint32_t end);
    // A whole picture; after a problem, none of it.
    const char *add_all(const Arrays &input) {
        begin(input, 0);
        return add_rows(input, input.mb_height);
    }
};

// Whether all blocks of a macroblock are predicted from something. If not, it may be intra, or not
// be there.
inline bool is_predicted(const MacroblockRecord &macroblock) {
    const uint32_t neither = macroblock.reference[0] & macroblock.reference[1];
    return !((~neither - 0x01010101) & neither & 0x80808080); // no byte is 255
}

} // namespace v3doff::h264
