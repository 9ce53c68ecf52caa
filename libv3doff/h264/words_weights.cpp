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

uint16_t WordsMotion::make_weights(const Part &part) {
    InterWeights to;
    return pair_weights(*prediction_, {part.index[0], part.index[1]}, to) ? inter_.add_weights(to)
                                                                          : uint16_t(0);
}

} // namespace v3doff::h264
