// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/strength_reference.hpp"

#include "h264/macroblocks/view.hpp"

namespace v3doff::h264 {
namespace {

class Deriver {
  public:
    Deriver(const MacroblockTable &picture, uint32_t at)
        : picture_(picture),
          mb_(picture, at), beside_{{picture, mb_.is(MB_FILTER_LEFT) ? at - 1 : at},
                                    {picture, mb_.is(MB_FILTER_TOP) ? at - picture.mb_width : at}} {
    }

    FilterMb derive() const {
        FilterMb record{};
        if (!mb_.is(MB_FILTERED)) return record;
        // Edges 1 and 3 are no edges of luma transforms, but in 4:2:2 they are of chroma's.
        const uint32_t luma = mb_.is(MB_TRANSFORM_8X8) ? 0x0f0f0f0f : ~0u;
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
        return mb_.is(direction ? MB_FILTER_TOP : MB_FILTER_LEFT);
    }

    uint32_t strength(unsigned direction, unsigned edge, unsigned segment) const {
        if (!edge && !filtered(direction)) return 0;
        const MacroblockView &p = edge ? mb_ : beside_[direction];
        // In a field, horizontal edges of macroblocks have no strength 4.
        if (p.is(MB_INTRA) || mb_.is(MB_INTRA))
            return edge || (direction && picture_.field) ? 3 : 4;
        const unsigned qx = direction ? segment : edge, qy = direction ? edge : segment;
        const unsigned before = (edge + 3) & 3;
        const unsigned px = direction ? segment : before, py = direction ? before : segment;
        if (p.has_coefficients(px, py) || mb_.has_coefficients(qx, qy)) return 2;
        const unsigned lists = mb_.is(MB_LIST_0_ONLY) ? 1 : 2;
        return differ(prediction(p, px, py, lists), prediction(mb_, qx, qy, lists), picture_.field);
    }

    // 8.7.2.2; in Cb and Cr the parameters of q's slice give both QPC.
    void thresholds(uint32_t *to, unsigned shift) const {
        const uint32_t *const table = mb_.table();
        const auto averaged = [&](const MacroblockView &mb) {
            return table[SLICE_QPS + mb.qp()] >> shift & 255;
        };
        const unsigned qp = averaged(mb_);
        for (unsigned direction = 0; direction < 2; direction++)
            if (filtered(direction))
                to[direction] = table[(qp + averaged(beside_[direction]) + 1) >> 1];
        to[2] = table[qp];
    }

    const MacroblockTable &picture_;
    MacroblockView mb_;
    MacroblockView beside_[2]; // left, above; the macroblock itself where that edge is not filtered
};

} // namespace

void derive_strengths(const MacroblockTable &packed, FilterMb *records) {
    for (uint32_t at = 0; at < packed.count(); at++)
        records[at] = Deriver(packed, at).derive();
}

} // namespace v3doff::h264
