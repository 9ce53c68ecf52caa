// SPDX-License-Identifier: BSD-2-Clause
// The weights of a slice as rectangles name them.
#include <algorithm>
#include <cstring>

#include "h264/words_motion.hpp"

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

} // namespace

// Of indices that are in their lists.
uint16_t WordsMotion::make_weights(const Part &part) {
    const v3doff_h264_prediction &from = *prediction_;
    InterWeights to{};
    if (from.weighting == V3DOFF_H264_WEIGHTS_IMPLICIT) {
        if (part.index[0] < 0 || part.index[1] < 0) return 0;
        const int weight = from.implicit[part.index[0]][part.index[1]];
        if (!within(weight, -64, 128)) bad_words("an implicit weight outside -64 to 128");
        if (weight == 32) return 0;
        to.denominator[0] = to.denominator[1] = 5;
        for (unsigned p = 0; p < 3; p++)
            to.weight[0][p] = int16_t(weight), to.weight[1][p] = int16_t(64 - weight);
        return inter_.add_weights(to);
    }
    bool neutral = true;
    for (unsigned list = 0; list < 2; list++) {
        if (part.index[list] < 0) continue;
        const unsigned index = unsigned(part.index[list]);
        neutral &= is_neutral(from, list, index);
        for (unsigned p = 0; p < 3; p++) {
            to.weight[list][p] = from.weight[list][index][p];
            to.offset[list][p] = from.offset[list][index][p];
            if (!within(to.weight[list][p], -128, 128) || !within(to.offset[list][p], -128, 127))
                bad_words("an explicit weight or offset out of range");
        }
    }
    std::memcpy(to.denominator, from.denominator, sizeof to.denominator);
    return neutral ? 0 : inter_.add_weights(to);
}

} // namespace v3doff::h264
