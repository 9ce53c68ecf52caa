// SPDX-License-Identifier: BSD-2-Clause
#include "h264/words_motion.hpp"

#include <string>

#include "h264/filter_strength_arrays.hpp"
#include "util/error.hpp"

namespace v3doff::h264 {

void bad_words(const char *what) {
    throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("words: ") + what);
}

namespace {

// Bit of a macroblock's type: its first or second partition uses the list.
constexpr uint32_t partition_uses(unsigned partition, unsigned list) {
    return 1u << (12 + partition + 2 * list);
}

uint32_t first_of(uint64_t row) {
    return uint32_t(row);
}

bool both_same(uint64_t row) {
    return uint32_t(row) == uint32_t(row >> 32);
}

// A weight that does nothing.
bool is_neutral(const v3doff_h264_prediction &from, unsigned list, unsigned index) {
    for (unsigned p = 0; p < 3; p++)
        if (from.weight[list][index][p] != 1 << from.denominator[p > 0] ||
            from.offset[list][index][p])
            return false;
    return true;
}

void check_weights(const v3doff_h264_prediction &of) {
    if (of.weighting > V3DOFF_H264_WEIGHTS_IMPLICIT) bad_words("a weighting that there is not");
    if (of.weighting == V3DOFF_H264_WEIGHTS_EXPLICIT &&
        (of.denominator[0] > 7 || of.denominator[1] > 7))
        bad_words("a denominator above 7");
}

bool within(int value, int least, int most) {
    return value >= least && value <= most;
}

} // namespace

WordsMotion::WordsMotion(const WordsFrame &frame, Inter &inter) : frame_(frame), inter_(inter) {}

void WordsMotion::begin_slice(uint16_t slice) {
    if (slice >= frame_.arrays.slice_count) bad_words("a macroblock of no slice");
    if (!frame_.predictions) bad_words("inter macroblocks without what slices predict from");
    slice_ = slice;
    prediction_ = &frame_.predictions[slice];
    check_weights(*prediction_);
    if (prediction_->weighting != V3DOFF_H264_WEIGHTS_DEFAULT)
        for (auto &row : made_)
            row.fill(no_weights);
}

void WordsMotion::add(uint32_t x, uint32_t y) {
    const StrengthInput &in = frame_.arrays;
    const size_t at = y * in.mb_stride + x;
    if (const uint16_t slice = in.slice_table[at]; slice != slice_) begin_slice(slice);
    Macroblock mb;
    mb.x = x, mb.y = y, mb.type = in.mb_type[at];
    if (mb.type & mb_intra) bad_words("an intra macroblock without its modes");
    for (unsigned list = 0; list < 2; list++) {
        const bool used = mb.type & uses_list[list];
        if (used && !(in.reference[list] && in.motion[list])) bad_words("a list without arrays");
        mb.index[list] = used ? in.reference[list] + 4 * at : nullptr;
        mb.vector[list] = used ? in.motion[list] + y * in.motion_mb_stride + 4 * x : nullptr;
    }
    if (mb.type & mb_16x16) {
        append(mb, 0, 0, 16, 16, read_part(mb, 0, 0));
    } else if (mb.type & mb_16x8) {
        append(mb, 0, 0, 16, 8, read_part(mb, 0, 0));
        append(mb, 0, 8, 16, 8, read_part(mb, 1, 2));
    } else if (mb.type & mb_8x16) {
        append(mb, 0, 0, 8, 16, read_part(mb, 0, 0));
        append(mb, 8, 0, 8, 16, read_part(mb, 1, 1));
    } else {
        add_quarters(mb);
    }
}

// A partition that begins with this 8x8 block.
WordsMotion::Part WordsMotion::read_part(const Macroblock &mb, unsigned partition,
                                         unsigned quarter) const {
    const size_t block = (quarter >> 1) * 2 * frame_.arrays.motion_stride + (quarter & 1) * 2;
    Part part;
    for (unsigned list = 0; list < 2; list++)
        if (mb.type & partition_uses(partition, list)) {
            part.index[list] = mb.index[list][quarter];
            part.vector[list] = load32(mb.vector[list][block]);
        }
    return part;
}

WordsMotion::Quarter WordsMotion::read_quarter(const Macroblock &mb, unsigned quarter) const {
    const size_t stride = frame_.arrays.motion_stride;
    const size_t block = (quarter >> 1) * 2 * stride + (quarter & 1) * 2;
    Quarter read{{-1, -1}, {}};
    for (unsigned list = 0; list < 2; list++)
        if (mb.index[list] && mb.index[list][quarter] >= 0) {
            read.index[list] = mb.index[list][quarter];
            read.rows[list][0] = load64(mb.vector[list][block]);
            read.rows[list][1] = load64(mb.vector[list][block + stride]);
        }
    return read;
}

bool WordsMotion::Quarter::same_columns() const {
    return both_same(rows[0][0]) && both_same(rows[0][1]) && both_same(rows[1][0]) &&
           both_same(rows[1][1]);
}

bool WordsMotion::Quarter::same_rows() const {
    return rows[0][0] == rows[0][1] && rows[1][0] == rows[1][1];
}

bool WordsMotion::Quarter::uniform() const {
    return same_rows() && same_columns();
}

WordsMotion::Part WordsMotion::Quarter::part(unsigned block) const {
    Part part;
    for (unsigned list = 0; list < 2; list++) {
        const uint64_t row = rows[list][block >> 1];
        part.index[list] = index[list];
        part.vector[list] = first_of(block & 1 ? row >> 32 : row);
    }
    return part;
}

// Quarters that are predicted alike go together; direct prediction often leaves such.
void WordsMotion::add_quarters(const Macroblock &mb) {
    Quarter quarter[4];
    Part part[4];
    bool uniform = true;
    for (unsigned i = 0; i < 4; i++) {
        quarter[i] = read_quarter(mb, i);
        uniform &= quarter[i].uniform();
        part[i] = quarter[i].part(0);
    }
    const bool upper = part[0] == part[1], lower = part[2] == part[3];
    if (uniform && upper && lower) {
        if (part[0] == part[2]) return append(mb, 0, 0, 16, 16, part[0]);
        append(mb, 0, 0, 16, 8, part[0]);
        return append(mb, 0, 8, 16, 8, part[2]);
    }
    if (uniform && part[0] == part[2] && part[1] == part[3]) {
        append(mb, 0, 0, 8, 16, part[0]);
        return append(mb, 8, 0, 8, 16, part[1]);
    }
    for (unsigned i = 0; i < 4; i++)
        add_quarter(mb, i, quarter[i]);
}

void WordsMotion::add_quarter(const Macroblock &mb, unsigned number, const Quarter &quarter) {
    const unsigned x = number % 2 * 8, y = number / 2 * 8;
    const bool columns = quarter.same_columns(), rows = quarter.same_rows();
    const unsigned width = columns ? 8 : 4, height = rows ? 8 : 4;
    for (unsigned down = 0; down < 8; down += height)
        for (unsigned right = 0; right < 8; right += width)
            append(mb, x + right, y + down, width, height, quarter.part(down / 4 * 2 + right / 4));
}

void WordsMotion::append(const Macroblock &mb, unsigned x, unsigned y, unsigned width,
                         unsigned height, const Part &part) {
    InterInput block;
    for (unsigned list = 0; list < 2; list++) {
        const int32_t index = part.index[list];
        block.reference[list] = -1;
        std::memcpy(block.vector[list], &part.vector[list], sizeof part.vector[list]);
        if (index < 0) continue;
        const uint8_t reference = index < int32_t(max_list_entries)
                                      ? prediction_->reference[list][index]
                                      : uint8_t(V3DOFF_H264_NO_REFERENCE);
        if (reference >= V3DOFF_H264_REFERENCES || !frame_.reference[reference])
            bad_words("a macroblock of a reference that the picture does not have");
        block.reference[list] = int8_t(reference);
    }
    if (block.reference[0] < 0 && block.reference[1] < 0)
        bad_words("an inter macroblock that is predicted from nothing");
    block.x = uint16_t(16 * mb.x + x), block.y = uint16_t(16 * mb.y + y);
    block.width = uint8_t(width), block.height = uint8_t(height);
    block.weights = prediction_->weighting == V3DOFF_H264_WEIGHTS_DEFAULT ? 0 : weights(part);
    inter_.append(block);
}

// Of indices that are in their lists.
uint16_t WordsMotion::weights(const Part &part) {
    const bool both = part.index[0] >= 0 && part.index[1] >= 0;
    if (prediction_->weighting == V3DOFF_H264_WEIGHTS_IMPLICIT && !both) return 0;
    uint32_t &made =
        made_[size_t(std::max(part.index[0], -1) + 1)][size_t(std::max(part.index[1], -1) + 1)];
    if (made == no_weights) made = make_weights(part);
    return uint16_t(made);
}

uint16_t WordsMotion::make_weights(const Part &part) {
    const v3doff_h264_prediction &from = *prediction_;
    InterWeights to{};
    if (from.weighting == V3DOFF_H264_WEIGHTS_IMPLICIT) {
        const int weight = from.implicit[part.index[0]][part.index[1]];
        if (!within(weight, -64, 128)) bad_words("an implicit weight that there is not");
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
                bad_words("an explicit weight that there is not");
        }
    }
    std::memcpy(to.denominator, from.denominator, sizeof to.denominator);
    return neutral ? 0 : inter_.add_weights(to);
}

} // namespace v3doff::h264
