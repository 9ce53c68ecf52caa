// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter/weights.hpp"

#include <cstring>

#include "h264/bad_words.hpp"

namespace v3doff::h264 {
namespace {

// A weight that does nothing.
bool is_neutral(const v3doff_h264_prediction &from, unsigned list, unsigned index) {
    for (unsigned p = 0; p < 3; p++)
        if (from.weight[list][index][p] != 1 << from.denominator[p > 0] ||
            from.offset[list][index][p])
            return false;
    return true;
}

bool within(int value, int least, int most) {
    return value >= least && value <= most;
}

uint32_t halves(int low, int high) {
    return uint32_t(low & 0xffff) | uint32_t(high) << 16;
}

// What a block is that uses one list or both.
constexpr InterInput one_list[3] = {
    {0, 0, 4, 4, {0, -1}, 0, {}}, {0, 0, 4, 4, {-1, 0}, 0, {}}, {0, 0, 4, 4, {0, 0}, 0, {}}};

// Whether the combination gives what the default gives.
bool is_default(const InterCombination &c, bool both) {
    const int one = both ? 1 << (c.shift - 1) : 1 << c.shift;
    return c.second == one && c.first == (both ? one : 0) && !c.offset;
}

} // namespace

void check_weights(const v3doff_h264_prediction &of) {
    if (of.weighting > V3DOFF_H264_WEIGHTS_IMPLICIT) bad_words("an unknown weighting");
    if (of.weighting == V3DOFF_H264_WEIGHTS_EXPLICIT &&
        (of.denominator[0] > 7 || of.denominator[1] > 7))
        bad_words("a denominator above 7");
}

bool pair_weights(const v3doff_h264_prediction &from, const int (&index)[2], InterWeights &to) {
    to = {};
    if (from.weighting == V3DOFF_H264_WEIGHTS_DEFAULT) return false;
    if (from.weighting == V3DOFF_H264_WEIGHTS_IMPLICIT) {
        if (index[0] < 0 || index[1] < 0) return false;
        const int weight = from.implicit[index[0]][index[1]];
        if (!within(weight, -64, 128)) bad_words("an implicit weight outside -64 to 128");
        if (weight == 32) return false;
        to.denominator[0] = to.denominator[1] = 5;
        for (unsigned p = 0; p < 3; p++)
            to.weight[0][p] = int16_t(weight), to.weight[1][p] = int16_t(64 - weight);
        return true;
    }
    bool neutral = true;
    for (unsigned list = 0; list < 2; list++) {
        if (index[list] < 0) continue;
        const unsigned i = unsigned(index[list]);
        neutral &= is_neutral(from, list, i);
        for (unsigned p = 0; p < 3; p++) {
            to.weight[list][p] = from.weight[list][i][p];
            to.offset[list][p] = from.offset[list][i][p];
            if (!within(to.weight[list][p], -128, 128) || !within(to.offset[list][p], -128, 127))
                bad_words("an explicit weight or offset out of range");
        }
    }
    std::memcpy(to.denominator, from.denominator, sizeof to.denominator);
    return !neutral;
}

bool pack_weights(const InterWeights &weights, unsigned use, const PictureFormat &format,
                  InterWeightRecord &record) {
    uint32_t words[sizeof record / 4] = {};
    bool all_default = true;
    for (unsigned p = 0; p < format.planes(); p++) {
        const InterCombination c = inter_combination(weights, one_list[use], p, format.bit_depth);
        words[2 * p] = halves(c.first, c.second);
        words[2 * p + 1] = halves(c.offset, c.shift);
        all_default &= is_default(c, use == 2);
    }
    std::memcpy(&record, words, sizeof record);
    return !all_default;
}

} // namespace v3doff::h264
