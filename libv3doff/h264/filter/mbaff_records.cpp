// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/mbaff_records.hpp"

#include <cstring>

#include "h264/filter/records.hpp"

namespace v3doff::h264 {
namespace {

// A picture's macroblocks, by pair.
class Pairs {
  public:
    Pairs(const MbaffInput *inputs, uint32_t mb_width) : inputs_(inputs), mb_width_(mb_width) {}
    const MbaffInput &mb(uint32_t x, uint32_t pair, unsigned m) const {
        return inputs_[(size_t(pair) * 2 + m) * mb_width_ + x];
    }
    bool field(uint32_t x, uint32_t pair) const {
        return mb(x, pair, 0).mb.flags & V3DOFF_H264_FIELD_MB;
    }

  private:
    const MbaffInput *inputs_;
    uint32_t mb_width_;
};

// 4 on all segments or on none.
bool legal_edge(const uint8_t strength[4]) {
    uint32_t edge;
    std::memcpy(&edge, strength, sizeof edge);
    return !(edge & 0xfcfcfcfcu) || edge == 0x04040404u;
}

// Strengths 0 to 3.
bool weak_edge(const uint8_t strength[4]) {
    uint32_t edge;
    std::memcpy(&edge, strength, sizeof edge);
    return !(edge & 0xfcfcfcfcu);
}

bool legal_left(const uint8_t left[8], bool by_parity) {
    uint8_t half[2][4];
    for (unsigned i = 0; i < 8; i++)
        half[by_parity ? i & 1 : i >> 2][by_parity ? i >> 1 : i & 3] = left[i];
    return legal_edge(half[0]) && legal_edge(half[1]);
}

const char *check_mb(const Pairs &pairs, uint32_t x, uint32_t pair, unsigned m) {
    const MbaffInput &mb = pairs.mb(x, pair, m);
    const bool field = pairs.field(x, pair);
    if (bool(mb.mb.flags & V3DOFF_H264_FIELD_MB) != field)
        return "a pair of a frame and a field macroblock";
    if (field && !weak_edge(mb.mb.strength[horizontal_edges][0]))
        return "a field macroblock with a strength of 4 between rows";
    if (!field && m == 0 && pair && pairs.field(x, pair - 1) &&
        !(weak_edge(mb.top[0]) && weak_edge(mb.top[1])))
        return "a strength above 3 where a frame macroblock meets a field pair";
    if (x && pairs.field(x - 1, pair) != field && !legal_left(mb.left, !field))
        return "a strength above 4 to a mixed neighbour, or 4 for a part of its lines";
    return nullptr;
}

void pack_inner_strengths(const MbaffInput &mb, FilterMbaffMb &record) {
    const auto &strength = mb.mb.strength;
    for (unsigned edge = 1; edge < 4; edge++)
        for (unsigned segment = 0; segment < 4; segment++) {
            const unsigned shift = (segment & 1) * 16 + edge * 4;
            const uint32_t across = uint32_t(strength[vertical_edges][edge][segment]) << shift;
            const uint32_t down = uint32_t(strength[horizontal_edges][edge][segment]) << shift;
            (segment < 2 ? record.chroma_left : record.chroma_right) |= down;
            if (mb.mb.flags & V3DOFF_H264_TRANSFORM_8X8 && edge % 2) continue;
            record.vertical[segment >> 1] |= across;
            record.horizontal[segment >> 1] |= down;
        }
}

// 8.7.2.1 and 8.7.2.2 with 6.4.12.2: the macroblocks of the neighbouring pair that are at an edge.
class Neighbours {
  public:
    Neighbours(const Pairs &pairs, uint32_t x, uint32_t pair, unsigned m)
        : field_(pairs.field(x, pair)) {
        if (x) {
            mixed_left_ = pairs.field(x - 1, pair) != field_;
            for (unsigned i = 0; i < 2; i++)
                left_[i] = &pairs.mb(x - 1, pair, mixed_left_ ? i : m);
        }
        if (!field_ && m) {
            above_[0] = &pairs.mb(x, pair, 0);
        } else if (pair) {
            const bool under_field = pairs.field(x, pair - 1);
            two_tops_ = under_field && !field_;
            above_[0] = &pairs.mb(x, pair - 1, two_tops_ ? 0 : under_field ? m : 1);
            if (two_tops_) above_[1] = &pairs.mb(x, pair - 1, 1);
        }
    }
    bool mixed_left() const { return mixed_left_; }
    bool two_tops() const { return two_tops_; }
    const MbaffInput *left(unsigned i) const { return left_[i]; }
    const MbaffInput *above(unsigned i) const { return above_[i]; }

  private:
    bool field_, mixed_left_ = false, two_tops_ = false;
    const MbaffInput *left_[2] = {}, *above_[2] = {};
};

FilterMbaffMb make_record(const Pairs &pairs, uint32_t x, uint32_t pair, unsigned m) {
    const MbaffInput &input = pairs.mb(x, pair, m);
    const v3doff_h264_deblock_mb &mb = input.mb;
    const bool field = pairs.field(x, pair);
    const Neighbours next(pairs, x, pair, m);
    FilterMbaffMb record{};
    if (field) record.flags |= MBAFF_FIELD;
    if (next.mixed_left() && !field) record.flags |= MBAFF_ALTERNATE;
    if (next.two_tops()) record.flags |= MBAFF_TWO_TOPS;
    if (!(mb.flags & V3DOFF_H264_DEBLOCK)) return record;
    pack_inner_strengths(input, record);
    const bool left = next.left(0) && mb.flags & V3DOFF_H264_DEBLOCK_LEFT;
    const bool top = next.above(0) && mb.flags & V3DOFF_H264_DEBLOCK_TOP;
    for (unsigned i = 0; left && i < 8; i++)
        record.left |= uint32_t(next.mixed_left() ? input.left[i] : mb.strength[0][0][i / 2])
                       << (i * 4);
    for (unsigned i = 0; top && i < 4; i++)
        record.top |= next.two_tops() ? uint32_t(input.top[0][i]) << (i * 4) |
                                            uint32_t(input.top[1][i]) << (16 + i * 4)
                                      : uint32_t(mb.strength[1][0][i]) << (i * 4);
    for (unsigned p = 0; p < 3; p++) {
        const auto thresholds = [&](const MbaffInput *other) {
            return other ? edge_thresholds(other->mb.qp[p], mb.qp[p], mb.offset_a, mb.offset_b) : 0;
        };
        for (unsigned i = 0; i < 2; i++) {
            record.thresholds[p][i] = thresholds(next.left(i));
            record.thresholds[p][2 + i] = thresholds(next.above(i));
        }
        record.thresholds[p][4] = thresholds(&input);
    }
    return record;
}

} // namespace

const char *check_mbaff(const MbaffInput *inputs, uint32_t mb_width, uint32_t pair_height,
                        unsigned bit_depth) {
    const Pairs pairs(inputs, mb_width);
    for (uint32_t pair = 0; pair < pair_height; pair++)
        for (uint32_t x = 0; x < mb_width; x++)
            for (unsigned m = 0; m < 2; m++) {
                v3doff_h264_deblock_mb mb = pairs.mb(x, pair, m).mb;
                mb.flags &= uint8_t(~V3DOFF_H264_FIELD_MB);
                if (const char *problem = check_filter(&mb, 1, bit_depth)) return problem;
                if (const char *problem = check_mb(pairs, x, pair, m)) return problem;
            }
    return nullptr;
}

void make_mbaff_records(const MbaffInput *inputs, uint32_t mb_width, uint32_t pair_height,
                        FilterMbaffMb *records) {
    const Pairs pairs(inputs, mb_width);
    for (uint32_t pair = 0; pair < pair_height; pair++)
        for (uint32_t x = 0; x < mb_width; x++)
            for (unsigned m = 0; m < 2; m++)
                *records++ = make_record(pairs, x, pair, m);
}

} // namespace v3doff::h264
