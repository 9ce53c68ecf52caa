// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/records.hpp"

#include <algorithm>
#include <cstring>

namespace v3doff::h264 {
namespace {

// ITU-T H.264 table 8-16: alpha' and beta' by indexA and indexB.
constexpr uint8_t alphas[52] = {0,  0,  0,  0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
                                0,  0,  0,  4,   4,   5,   6,   7,   8,   9,   10,  12,  13,
                                15, 17, 20, 22,  25,  28,  32,  36,  40,  45,  50,  56,  63,
                                71, 80, 90, 101, 113, 127, 144, 162, 182, 203, 226, 255, 255};
constexpr uint8_t betas[52] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0,  0,  0,  2,  2,  2,  3,  3,  3,  3,  4,  4,  4,
    6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18};

// Table 8-17: tC0' by indexA for strengths 1, 2 and 3; below index 17 all are 0.
constexpr uint8_t clips[52][3] = {
    {0, 0, 0},    {0, 0, 0},    {0, 0, 0},   {0, 0, 0},  {0, 0, 0},   {0, 0, 0},   {0, 0, 0},
    {0, 0, 0},    {0, 0, 0},    {0, 0, 0},   {0, 0, 0},  {0, 0, 0},   {0, 0, 0},   {0, 0, 0},
    {0, 0, 0},    {0, 0, 0},    {0, 0, 0},   {0, 0, 1},  {0, 0, 1},   {0, 0, 1},   {0, 0, 1},
    {0, 1, 1},    {0, 1, 1},    {1, 1, 1},   {1, 1, 1},  {1, 1, 1},   {1, 1, 1},   {1, 1, 2},
    {1, 1, 2},    {1, 1, 2},    {1, 1, 2},   {1, 2, 3},  {1, 2, 3},   {2, 2, 3},   {2, 2, 4},
    {2, 3, 4},    {2, 3, 4},    {3, 3, 5},   {3, 4, 6},  {3, 4, 6},   {4, 5, 7},   {4, 5, 8},
    {4, 6, 9},    {5, 7, 10},   {6, 8, 11},  {6, 8, 13}, {7, 10, 14}, {8, 11, 16}, {9, 12, 18},
    {10, 13, 20}, {11, 15, 23}, {13, 17, 25}};

// Strengths of one direction's edges, segments 0 and 1 or 2 and 3: the bytes of an edge become
// nibbles.
uint32_t pack_strengths(const uint8_t edges[4][4], unsigned word, unsigned edge_mask) {
    uint32_t packed = 0;
    for (unsigned edge = 0; edge < 4; edge++) {
        const uint32_t both =
            pack(edges[edge][word * 2], LOWER_HALF) | pack(edges[edge][word * 2 + 1], UPPER_HALF);
        packed |= edge_mask >> edge & 1 ? both << strength_bit(edge, 0) : 0;
    }
    return packed;
}

// The inner edges of a macroblock, and those to one neighbour on the left and above if they are
// filtered.
template <typename Record>
void pack_edges(const FilterInput &mb, bool left, bool top, Record &record) {
    const unsigned inner = mb.flags & V3DOFF_H264_TRANSFORM_8X8 ? 4 : 14;
    for (unsigned word = 0; word < 2; word++) {
        record.vertical[word] = pack_strengths(mb.strength[vertical_edges], word, inner | left);
        record.horizontal[word] = pack_strengths(mb.strength[horizontal_edges], word, inner | top);
    }
    record.chroma_left = pack_strengths(mb.strength[horizontal_edges], 0, 14 | top);
    record.chroma_right = pack_strengths(mb.strength[horizontal_edges], 1, 14 | top);
}

// Strength 4 is only allowed on edge 0, and there on all segments or none.
bool legal_strengths(const uint8_t strength[2][4][4]) {
    for (unsigned direction = 0; direction < 2; direction++) {
        uint32_t edge[4];
        std::memcpy(edge, strength[direction], sizeof edge);
        for (unsigned i = 1; i < 4; i++)
            if (edge[i] & 0xfcfcfcfcu) return false;
        if (edge[0] & 0xfcfcfcfcu && edge[0] != 0x04040404u) return false;
    }
    return true;
}

} // namespace

FilterLimits filter_limits(int index) {
    return {alphas[index], betas[index], {clips[index][0], clips[index][1], clips[index][2]}};
}

uint32_t edge_thresholds(int qp_p, int qp_q, int offset_a, int offset_b) {
    const int qp = (qp_p + qp_q + 1) >> 1;
    const int a = std::clamp(qp + offset_a, 0, 51);
    const int b = std::clamp(qp + offset_b, 0, 51);
    if (!alphas[a] || !betas[b]) return 0;
    return pack(alphas[a], THRESHOLD_ALPHA) | pack(betas[b], THRESHOLD_BETA) |
           pack_tc0(clips[a][0], 1) | pack_tc0(clips[a][1], 2) | pack_tc0(clips[a][2], 3);
}

const char *check_filter(const FilterInput *inputs, size_t count, unsigned bit_depth) {
    const int lowest = -6 * (int(bit_depth) - 8);
    for (size_t i = 0; i < count; i++) {
        const FilterInput &mb = inputs[i];
        if (!legal_strengths(mb.strength))
            return "a strength above 3 that is not a whole edge 0 of 4";
        for (int8_t qp : mb.qp)
            if (qp < lowest || qp > 51) return "a qp outside of what the bit depth allows";
        if (mb.offset_a < -12 || mb.offset_a > 12 || mb.offset_b < -12 || mb.offset_b > 12)
            return "a filter offset that is not -12 to 12";
        if (mb.flags & ~15u) return "unknown flags";
    }
    return nullptr;
}

FilterMb make_record(const FilterInput &mb, const FilterInput *left, const FilterInput *above) {
    FilterMb record{};
    if (!(mb.flags & V3DOFF_H264_DEBLOCK)) return record;
    const bool filter_left = left && mb.flags & V3DOFF_H264_DEBLOCK_LEFT;
    const bool filter_top = above && mb.flags & V3DOFF_H264_DEBLOCK_TOP;
    pack_edges(mb, filter_left, filter_top, record);
    uint32_t *const planes[3] = {record.luma, record.cb, record.cr};
    for (unsigned p = 0; p < 3; p++) {
        const int qp = mb.qp[p];
        if (filter_left) planes[p][0] = edge_thresholds(left->qp[p], qp, mb.offset_a, mb.offset_b);
        if (filter_top) planes[p][1] = edge_thresholds(above->qp[p], qp, mb.offset_a, mb.offset_b);
        planes[p][2] = edge_thresholds(qp, qp, mb.offset_a, mb.offset_b);
    }
    return record;
}

void make_records(const FilterInput *inputs, uint32_t mb_width, uint32_t mb_height,
                  FilterMb *records) {
    for (uint32_t y = 0; y < mb_height; y++)
        for (uint32_t x = 0; x < mb_width; x++) {
            const size_t at = size_t(y) * mb_width + x;
            records[at] = make_record(inputs[at], x ? &inputs[at - 1] : nullptr,
                                      y ? &inputs[at - mb_width] : nullptr);
        }
}

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
    pack_edges(mb, false, false, record);
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
