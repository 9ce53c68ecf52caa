// SPDX-License-Identifier: BSD-2-Clause
// The macroblocks of a frame or a field and their motion, as the device reads them: what boundary
// strengths are derived from, and what is sorted for inter prediction. Made of a decoder's arrays,
// which are not needed afterwards.
#pragma once

#include <array>
#include <cstdlib>
#include <vector>

#include "h264/macroblocks/slices.hpp"
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

    // For inter prediction: reference indices of 8x8 blocks, by macroblock as bytes, of a list that
    // there are arrays of; and slice numbers.
    std::array<std::vector<uint32_t>, 2> indices;
    std::vector<uint16_t> slices;
    size_t slice_count = 0;
    // By list and by index as a byte: the macroblocks of one part that have it, and in the upper
    // half the 8x8 blocks of others. First of frame macroblocks, or of a field, then of field
    // macroblocks in an MBAFF frame.
    static constexpr uint64_t one_block_uses = uint64_t(1) << 32;
    std::array<std::array<std::array<uint64_t, 256>, 2>, 2> used;

    uint32_t count() const { return mb_width * rows; }
    // Where the macroblock in column x and row y of the picture is.
    size_t place(uint32_t x, uint32_t y) const {
        return mbaff ? (size_t(y / 2) * mb_width + x) * 2 + y % 2 : size_t(y - top) * mb_width + x;
    }

    // The opposite: the row of the macroblock that is there.
    uint32_t row_of(size_t at) const {
        return mbaff ? uint32_t(at / 2 / mb_width * 2 + at % 2) : top + uint32_t(at / mb_width);
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

// A macroblock in its packed form, as plain code reads it.
class MacroblockView {
  public:
    MacroblockView(const MacroblockTable &picture, uint32_t at)
        : picture_(picture), mb_(picture.macroblocks[at]) {}

    bool is(uint32_t flag) const { return mb_.bits & flag; }
    unsigned qp() const { return unpack(mb_.bits, MB_QP); }
    const uint32_t *table() const {
        return &picture_.tables.words()[unpack(mb_.motion, MB_TABLE) * SLICE_TABLE_WORDS];
    }
    bool has_coefficients(unsigned x, unsigned y) const { return mb_.bits >> (4 * y + x) & 1; }

    // 255 where the block does not use the list.
    unsigned reference(unsigned list, unsigned x, unsigned y) const {
        return mb_.reference[list] >> (8 * (2 * (y >> 1) + (x >> 1))) & 255;
    }

    struct Vector {
        int x, y;
    };
    Vector motion(unsigned list, unsigned x, unsigned y) const {
        const unsigned of_4x4 = 4 * y + x, of_8x8 = 2 * (y >> 1) + (x >> 1);
        const unsigned index = is(MB_MOTION_4X4) ? of_4x4 : is(MB_MOTION_8X8) ? of_8x8 : 0;
        const unsigned count = is(MB_MOTION_4X4) ? 16 : is(MB_MOTION_8X8) ? 4 : 1;
        const unsigned before = list && mb_.reference[0] != ~0u ? count : 0;
        const uint32_t word = picture_.motion[unpack(mb_.motion, MB_VECTOR) + before + index];
        return {unpack_signed(word, LOWER_HALF), unpack_signed(word, UPPER_HALF)};
    }

  private:
    const MacroblockTable &picture_;
    const MacroblockRecord &mb_;
};

// What a 4x4 block is predicted from, as boundary strengths compare it (ITU-T H.264 8.7.2.1): one
// motion vector for each list in use.
struct BlockMotion {
    unsigned count = 0;
    unsigned picture[2];
    MacroblockView::Vector vector[2];
};

inline BlockMotion prediction(const MacroblockView &mb, unsigned x, unsigned y, unsigned lists) {
    BlockMotion found;
    for (unsigned list = 0; list < lists; list++) {
        const unsigned picture = mb.reference(list, x, y);
        if (picture == 255) continue;
        found.picture[found.count] = picture;
        found.vector[found.count++] = mb.motion(list, x, y);
    }
    return found;
}

// A vertical difference of 4 in units of quarter frame samples is 2 in those of a field.
inline bool apart(const MacroblockView::Vector &a, const MacroblockView::Vector &b, bool field) {
    return std::abs(a.x - b.x) >= 4 || std::abs(a.y - b.y) >= (field ? 2 : 4);
}

// The conditions of bS 1. Which list a picture or a motion vector comes from does not matter.
inline bool differ(const BlockMotion &p, const BlockMotion &q, bool field) {
    if (p.count != q.count) return true;
    if (!p.count) return false;
    if (p.count == 1) return p.picture[0] != q.picture[0] || apart(p.vector[0], q.vector[0], field);
    const bool straight = p.picture[0] == q.picture[0] && p.picture[1] == q.picture[1];
    const bool crossed = p.picture[0] == q.picture[1] && p.picture[1] == q.picture[0];
    if (!straight && !crossed) return true;
    const bool straight_apart =
        apart(p.vector[0], q.vector[0], field) || apart(p.vector[1], q.vector[1], field);
    const bool crossed_apart =
        apart(p.vector[0], q.vector[1], field) || apart(p.vector[1], q.vector[0], field);
    // Both hold where all four are of one picture: then either way of pairing them will do.
    return (!straight || straight_apart) && (!crossed || crossed_apart);
}

} // namespace v3doff::h264
