// SPDX-License-Identifier: BSD-2-Clause
#include "h264/strength_reference.hpp"

#include <cstdlib>

namespace v3doff::h264 {
namespace {

// A macroblock in its packed form.
class Macroblock {
  public:
    Macroblock(const PackedStrengths &picture, uint32_t at)
        : picture_(picture), mb_(picture.macroblocks[at]) {}

    bool is(uint32_t flag) const { return mb_.bits & flag; }
    unsigned qp() const { return mb_.bits >> STRENGTH_QP_AT & 255; }
    const uint32_t *table() const {
        return &picture_.tables.words()[(mb_.motion >> STRENGTH_TABLE_AT) * STRENGTH_TABLE_WORDS];
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
        const unsigned index = is(STRENGTH_MOTION_4X4)   ? of_4x4
                               : is(STRENGTH_MOTION_8X8) ? of_8x8
                                                         : 0;
        const unsigned count = is(STRENGTH_MOTION_4X4) ? 16 : is(STRENGTH_MOTION_8X8) ? 4 : 1;
        const unsigned before = list && mb_.reference[0] != ~0u ? count : 0;
        const uint32_t first = mb_.motion & ((1u << STRENGTH_TABLE_AT) - 1);
        const uint32_t word = picture_.motion[first + before + index];
        return {int16_t(word), int16_t(word >> 16)};
    }

  private:
    const PackedStrengths &picture_;
    const StrengthMb &mb_;
};

// What a 4x4 block is predicted from: one motion vector for each list in use.
struct Prediction {
    unsigned count = 0;
    unsigned picture[2];
    Macroblock::Vector vector[2];
};

Prediction prediction(const Macroblock &mb, unsigned x, unsigned y, unsigned lists) {
    Prediction found;
    for (unsigned list = 0; list < lists; list++) {
        const unsigned picture = mb.reference(list, x, y);
        if (picture == 255) continue;
        found.picture[found.count] = picture;
        found.vector[found.count++] = mb.motion(list, x, y);
    }
    return found;
}

// A vertical difference of 4 in units of quarter frame samples is 2 in those of a field.
bool apart(const Macroblock::Vector &a, const Macroblock::Vector &b, bool field) {
    return std::abs(a.x - b.x) >= 4 || std::abs(a.y - b.y) >= (field ? 2 : 4);
}

// The conditions of bS 1. Which list a picture or a motion vector comes from does not matter.
bool differ(const Prediction &p, const Prediction &q, bool field) {
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

class Deriver {
  public:
    Deriver(const PackedStrengths &picture, uint32_t at)
        : picture_(picture),
          mb_(picture, at), beside_{{picture, mb_.is(STRENGTH_FILTER_LEFT) ? at - 1 : at},
                                    {picture,
                                     mb_.is(STRENGTH_FILTER_TOP) ? at - picture.mb_width : at}} {}

    DeblockMb derive() const {
        DeblockMb record{};
        if (!mb_.is(STRENGTH_FILTERED)) return record;
        // Edges 1 and 3 are no edges of luma transforms, but in 4:2:2 they are of chroma's.
        const uint32_t luma = mb_.is(STRENGTH_TRANSFORM_8X8) ? 0x0f0f0f0f : ~0u;
        for (unsigned word = 0; word < 2; word++) {
            record.vertical[word] = strengths(0, word) & luma;
            record.horizontal[word] = strengths(1, word) & luma;
        }
        record.chroma_left = strengths(1, 0);
        record.chroma_right = strengths(1, 1);
        thresholds(record.luma, 0);
        thresholds(record.cb, 8);
        thresholds(record.cr, 16);
        return record;
    }

  private:
    uint32_t strengths(unsigned direction, unsigned word) const {
        uint32_t packed = 0;
        for (unsigned half = 0; half < 2; half++)
            for (unsigned edge = 0; edge < 4; edge++)
                packed |= strength(direction, edge, 2 * word + half) << (16 * half + 4 * edge);
        return packed;
    }

    bool filtered(unsigned direction) const {
        return mb_.is(direction ? STRENGTH_FILTER_TOP : STRENGTH_FILTER_LEFT);
    }

    uint32_t strength(unsigned direction, unsigned edge, unsigned segment) const {
        if (!edge && !filtered(direction)) return 0;
        const Macroblock &p = edge ? mb_ : beside_[direction];
        // In a field, horizontal edges of macroblocks have no strength 4.
        if (p.is(STRENGTH_INTRA) || mb_.is(STRENGTH_INTRA))
            return edge || (direction && picture_.field) ? 3 : 4;
        const unsigned qx = direction ? segment : edge, qy = direction ? edge : segment;
        const unsigned before = (edge + 3) & 3;
        const unsigned px = direction ? segment : before, py = direction ? before : segment;
        if (p.has_coefficients(px, py) || mb_.has_coefficients(qx, qy)) return 2;
        const unsigned lists = mb_.is(STRENGTH_LIST_0_ONLY) ? 1 : 2;
        return differ(prediction(p, px, py, lists), prediction(mb_, qx, qy, lists), picture_.field);
    }

    // 8.7.2.2; in Cb and Cr the parameters of q's slice give both QPC.
    void thresholds(uint32_t *to, unsigned shift) const {
        const uint32_t *const table = mb_.table();
        const auto averaged = [&](const Macroblock &mb) {
            return table[STRENGTH_QPS + mb.qp()] >> shift & 255;
        };
        const unsigned qp = averaged(mb_);
        for (unsigned direction = 0; direction < 2; direction++)
            if (filtered(direction))
                to[direction] = table[(qp + averaged(beside_[direction]) + 1) >> 1];
        to[2] = table[qp];
    }

    const PackedStrengths &picture_;
    Macroblock mb_;
    Macroblock beside_[2]; // left, above; the macroblock itself where that edge is not filtered
};

} // namespace

void derive_strengths(const PackedStrengths &packed, DeblockMb *records) {
    for (uint32_t at = 0; at < packed.count(); at++)
        records[at] = Deriver(packed, at).derive();
}

} // namespace v3doff::h264
