// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/strengths.hpp"

namespace v3doff::h264 {
namespace {

// A 4x4 block across an edge.
struct Neighbour {
    const MacroblockView *mb;
    unsigned x, y;
};

// Derives the strengths of any picture. Without MBAFF, a pair is one macroblock twice.
class Deriver {
  public:
    Deriver(const MacroblockTable &picture, uint32_t at)
        : lower_(picture.mbaff && at % 2), mb_(picture, at),
          field_(picture.field || mb_.is(MB_FIELD)),
          left_pair_(pair_at(picture, at, mb_.is(MB_FILTER_LEFT) ? 1 : 0)),
          pair_above_(pair_at(
              picture, at, mb_.is(MB_FILTER_TOP) && (field_ || !lower_) ? picture.mb_width : 0)) {}

    FilterMbaffMb derive() const {
        FilterMbaffMb record{};
        record.flags = (field_ ? MBAFF_FIELD : 0) |
                       (mixed_left() && !field_ ? MBAFF_ALTERNATE : 0) |
                       (two_tops() ? MBAFF_TWO_TOPS : 0);
        if (!mb_.is(MB_FILTERED)) return record;
        inner_edges(record);
        if (mb_.is(MB_FILTER_LEFT))
            for (unsigned group = 0; group < 8; group++)
                record.left |= left_strength(group) << (4 * group);
        if (mb_.is(MB_FILTER_TOP))
            for (unsigned edge = 0; edge < (two_tops() ? 2u : 1u); edge++)
                for (unsigned segment = 0; segment < 4; segment++)
                    record.top |= upper_strength(edge, segment) << (16 * edge + 4 * segment);
        for (unsigned plane = 0; plane < 3; plane++)
            thresholds(record.thresholds[plane], 8 * plane);
        return record;
    }

  private:
    struct Pair {
        MacroblockView upper, lower;
        bool field;
        const MacroblockView &mb(unsigned m) const { return m ? lower : upper; }
    };
    // The pair that is `back` pairs before that of a macroblock.
    static Pair pair_at(const MacroblockTable &picture, uint32_t at, uint32_t back) {
        const uint32_t first = picture.mbaff ? at - at % 2 - 2 * back : at - back;
        const MacroblockView upper(picture, first);
        return {upper, {picture, first + picture.mbaff}, picture.field || upper.is(MB_FIELD)};
    }

    bool mixed_left() const { return left_pair_.field != field_; }
    bool two_tops() const { return pair_above_.field && !field_; }

    // 6.4.12.2: the macroblock to the left that has the line of this one at y.
    unsigned left_of(unsigned y) const { return !mixed_left() ? lower_ : field_ ? y / 8 : y % 2; }
    // And the line in that macroblock.
    unsigned line_left_of(unsigned y) const {
        return !mixed_left() ? y : field_ ? 2 * y % 16 : (lower_ * 16 + y) / 2;
    }
    const MacroblockView &above(unsigned edge) const {
        if (!field_ && lower_) return pair_above_.upper; // of this pair
        return pair_above_.mb(two_tops() ? edge : pair_above_.field ? lower_ : 1);
    }

    uint32_t left_strength(unsigned group) const {
        // Groups are two lines each; beside a field pair a group has every second line of four.
        const bool alternate = mixed_left() && !field_;
        const unsigned y = alternate ? group / 2 * 4 + group % 2 : group * 2;
        const MacroblockView &left = left_pair_.mb(left_of(y));
        return strength({&left, 3, line_left_of(y) / 4}, {&mb_, 0, y / 4}, 4, mixed_left());
    }

    // Between rows there is no strength 4 in fields.
    uint32_t upper_strength(unsigned edge, unsigned segment) const {
        const bool other_field = pair_above_.field;
        return strength({&above(edge), segment, 3}, {&mb_, segment, 0},
                        field_ || other_field ? 3 : 4, field_ != other_field);
    }

    uint32_t strength(const Neighbour &p, const Neighbour &q, uint32_t intra, bool mixed) const {
        if (p.mb->is(MB_INTRA) || q.mb->is(MB_INTRA)) return intra;
        if (p.mb->has_coefficients(p.x, p.y) || q.mb->has_coefficients(q.x, q.y)) return 2;
        if (mixed) return 1;
        const unsigned lists = mb_.is(MB_LIST_0_ONLY) ? 1 : 2;
        return differ(prediction(*p.mb, p.x, p.y, lists), prediction(*q.mb, q.x, q.y, lists),
                      field_);
    }

    void inner_edges(FilterMbaffMb &record) const {
        for (unsigned edge = 1; edge < 4; edge++)
            for (unsigned segment = 0; segment < 4; segment++) {
                const unsigned shift = strength_bit(edge, segment);
                const uint32_t across =
                    strength({&mb_, edge - 1, segment}, {&mb_, edge, segment}, 3, false) << shift;
                const uint32_t down =
                    strength({&mb_, segment, edge - 1}, {&mb_, segment, edge}, 3, false) << shift;
                // Edges 1 and 3 are no edges of luma transforms, but in 4:2:2 they are of chroma's.
                (segment < 2 ? record.chroma_left : record.chroma_right) |= down;
                if (mb_.is(MB_TRANSFORM_8X8) && edge % 2) continue;
                record.vertical[segment / 2] |= across;
                record.horizontal[segment / 2] |= down;
            }
    }

    // 8.7.2.2; in Cb and Cr the parameters of q's slice give both QPC.
    void thresholds(uint32_t *to, unsigned shift) const {
        const uint32_t *const table = mb_.table();
        const auto averaged = [&](const MacroblockView &mb) {
            return table[SLICE_QPS + mb.qp()] >> shift & 255;
        };
        const unsigned qp = averaged(mb_);
        const auto to_other = [&](const MacroblockView &mb) {
            return table[(qp + averaged(mb) + 1) >> 1];
        };
        if (mb_.is(MB_FILTER_LEFT))
            for (unsigned i = 0; i < 2; i++)
                to[i] = to_other(left_pair_.mb(mixed_left() ? i : lower_));
        if (mb_.is(MB_FILTER_TOP))
            for (unsigned i = 0; i < (two_tops() ? 2u : 1u); i++)
                to[2 + i] = to_other(above(i));
        to[4] = table[qp];
    }

    unsigned lower_;
    MacroblockView mb_;
    bool field_;                  // a field macroblock, or a field
    Pair left_pair_, pair_above_; // this pair where that edge is within it or not filtered
};

// Without MBAFF, outer edges have one neighbour, and a strength for each segment.
FilterMb without_pairs(const FilterMbaffMb &mb) {
    FilterMb record{};
    for (unsigned word = 0; word < 2; word++) {
        const uint32_t left = mb.left >> (16 * word), top = mb.top >> (8 * word);
        const uint32_t top_edge = (top & 15) | (top & 0xf0) << 12;
        record.vertical[word] = mb.vertical[word] | (left & 15) | (left & 0xf00) << 8;
        record.horizontal[word] = mb.horizontal[word] | top_edge;
        (word ? record.chroma_right : record.chroma_left) =
            (word ? mb.chroma_right : mb.chroma_left) | top_edge;
    }
    uint32_t *const planes[3] = {record.luma, record.cb, record.cr};
    for (unsigned plane = 0; plane < 3; plane++)
        for (unsigned edge = 0; edge < 3; edge++)
            planes[plane][edge] = mb.thresholds[plane][2 * edge];
    return record;
}

} // namespace

void derive_strengths(const MacroblockTable &packed, FilterMb *records) {
    for (uint32_t at = 0; at < packed.count(); at++)
        records[at] = without_pairs(Deriver(packed, at).derive());
}

void derive_mbaff_strengths(const MacroblockTable &packed, FilterMbaffMb *records) {
    for (uint32_t at = 0; at < packed.count(); at++)
        records[at] = Deriver(packed, at).derive();
}

uint32_t plan_strengths(const Macroblocks::Part &from, const StrengthShaders &shaders, Plan &plan) {
    const size_t record = from.mbaff ? sizeof(FilterMbaffMb) : sizeof(FilterMb);
    StrengthPush push{};
    push.macroblocks = from.places.macroblocks;
    push.motion = from.places.motion;
    push.tables = from.places.slice_tables;
    push.count = from.count();
    push.mb_width = from.mb_width;
    push.field = from.field;
    push.records = uint32_t(plan.reserve(from.count() * record / 4));
    plan.dispatch(from.two_lists ? shaders.two_lists : shaders.one_list,
                  {divide_up(from.count(), STRENGTH_GROUP), 1, 1}, push,
                  {vk::memory_arena, vk::memory_arena});
    return push.records;
}

} // namespace v3doff::h264
