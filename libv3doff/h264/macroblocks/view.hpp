// SPDX-License-Identifier: BSD-2-Clause
// Macroblocks and 4x4 blocks as boundary strengths are derived from them (ITU-T H.264 8.7.2.1), in
// plain code.
#pragma once

#include <cstdlib>

#include "h264/macroblocks/table.hpp"

namespace v3doff::h264 {

// A macroblock in its packed form.
class MacroblockView {
  public:
    MacroblockView(const MacroblockTable &picture, uint32_t at)
        : picture_(picture), mb_(picture.macroblocks[at]) {}

    bool is(uint32_t flag) const { return mb_.bits & flag; }
    unsigned qp() const { return mb_.bits >> MB_QP_AT & 127; }
    const uint32_t *table() const {
        return &picture_.tables.words()[(mb_.motion >> MB_TABLE_AT) * SLICE_TABLE_WORDS];
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
        const uint32_t first = mb_.motion & ((1u << MB_TABLE_AT) - 1);
        const uint32_t word = picture_.motion[first + before + index];
        return {int16_t(word), int16_t(word >> 16)};
    }

  private:
    const MacroblockTable &picture_;
    const MacroblockRecord &mb_;
};

// What a 4x4 block is predicted from: one motion vector for each list in use.
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
