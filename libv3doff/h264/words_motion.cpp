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

WordsMotion::WordsMotion(const WordsFrame &frame, Inter &inter) : frame_(frame), inter_(inter) {
    for (unsigned list = 0; list < 2; list++)
        if (!frame.arrays.reference[list] || !frame.arrays.motion[list])
            missing_lists_ |= uses_list[list];
}

void WordsMotion::begin_slice(uint16_t slice) {
    if (slice >= frame_.arrays.slice_count) bad_words("a macroblock of no slice");
    if (!frame_.predictions) bad_words("inter macroblocks without what slices predict from");
    end_run();
    slice_ = slice;
    prediction_ = &frame_.predictions[slice];
    check_weights(*prediction_);
    for (unsigned list = 0; list < 2; list++)
        for (unsigned i = 0; i < max_list_entries; i++) {
            const uint8_t reference = prediction_->reference[list][i];
            const bool known = reference < V3DOFF_H264_REFERENCES && frame_.reference[reference];
            numbers_[list][i] = known ? int8_t(reference) : missing;
        }
    if (prediction_->weighting != V3DOFF_H264_WEIGHTS_DEFAULT)
        for (auto &row : made_)
            row.fill(no_weights);
}

void WordsMotion::add(uint32_t x, uint32_t y) {
    const StrengthInput &in = frame_.arrays;
    const size_t at = y * in.mb_stride + x;
    if (const uint16_t slice = in.slice_table[at]; slice != slice_) begin_slice(slice);
    const uint32_t type = in.mb_type[at];
    if (type & (mb_intra | missing_lists_))
        bad_words(type & mb_intra ? "an intra macroblock without its modes"
                                  : "a list without arrays");
    const size_t motion_at = y * in.motion_mb_stride + 4 * x;
    if (type & mb_16x16) {
        Part part;
        for (unsigned list = 0; list < 2; list++)
            if (type & partition_uses(0, list)) {
                part.index[list] = in.reference[list][4 * at];
                part.vector[list] = load32(in.motion[list][motion_at]);
            }
        return add_whole(x, y, part);
    }
    Macroblock mb{x, y, type, {}, {}};
    for (unsigned list = 0; list < 2; list++)
        if (type & uses_list[list]) {
            mb.index[list] = in.reference[list] + 4 * at;
            mb.vector[list] = in.motion[list] + motion_at;
        }
    add_parts(mb);
}

void WordsMotion::add_parts(const Macroblock &mb) {
    if (mb.type & mb_16x8) {
        append(mb, 0, 0, 16, 8, read_part(mb, 0, 0));
        append(mb, 0, 8, 16, 8, read_part(mb, 1, 2));
    } else if (mb.type & mb_8x16) {
        append(mb, 0, 0, 8, 16, read_part(mb, 0, 0));
        append(mb, 8, 0, 8, 16, read_part(mb, 1, 1));
    } else if (is_whole(mb)) {
        add_whole(mb.x, mb.y, read_quarter(mb, 0).part(0));
    } else {
        add_quarters(mb);
    }
}

inline void WordsMotion::add_whole(uint32_t x, uint32_t y, const Part &part) {
    if (x == run_.x + run_.count && y == run_.y && part == run_.part) {
        run_.count++;
        return;
    }
    end_run();
    run_ = {x, y, 1, part};
}

// In rectangles of 1, 2, 4 and 8 macroblocks.
void WordsMotion::end_run() {
    if (!run_.count) return;
    InterInput block = predicted_from(run_.part);
    block.x = uint16_t(16 * run_.x), block.y = uint16_t(16 * run_.y);
    block.height = 16;
    for (; run_.count; run_.count -= block.width / 16, block.x += block.width) {
        block.width = uint8_t(16 * std::min(8u, std::bit_floor(run_.count)));
        inter_.append(block);
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

// Whether all of it is predicted alike.
bool WordsMotion::is_whole(const Macroblock &mb) const {
    const size_t stride = frame_.arrays.motion_stride;
    uint64_t others = 0;
    for (unsigned list = 0; list < 2; list++) {
        if (!mb.index[list]) continue;
        const uint32_t indices = load32(mb.index[list]);
        others |= unlike(indices);
        if (int8_t(indices) < 0) continue; // then it has no vectors
        const uint64_t first = load64(mb.vector[list][0]);
        others |= uint32_t(first) ^ (first >> 32);
        for (size_t row = 0; row < 4; row++)
            others |= (load64(mb.vector[list][row * stride]) ^ first) |
                      (load64(mb.vector[list][row * stride + 2]) ^ first);
    }
    return !others;
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

inline InterInput WordsMotion::predicted_from(const Part &part) {
    InterInput block;
    for (unsigned list = 0; list < 2; list++) {
        const int32_t index = part.index[list];
        std::memcpy(block.vector[list], &part.vector[list], sizeof part.vector[list]);
        block.reference[list] = index < 0                           ? int8_t(-1)
                                : index < int32_t(max_list_entries) ? numbers_[list][index]
                                                                    : missing;
    }
    if (block.reference[0] == missing || block.reference[1] == missing)
        bad_words("a macroblock of a reference that the picture does not have");
    if (block.reference[0] < 0 && block.reference[1] < 0)
        bad_words("an inter macroblock that is predicted from nothing");
    block.weights = prediction_->weighting == V3DOFF_H264_WEIGHTS_DEFAULT ? 0 : weights(part);
    return block;
}

void WordsMotion::append(const Macroblock &mb, unsigned x, unsigned y, unsigned width,
                         unsigned height, const Part &part) {
    InterInput block = predicted_from(part);
    block.x = uint16_t(16 * mb.x + x), block.y = uint16_t(16 * mb.y + y);
    block.width = uint8_t(width), block.height = uint8_t(height);
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
