// SPDX-License-Identifier: BSD-2-Clause
#include "h264/words_motion.hpp"

#include <algorithm>
#include <string>

#include "h264/filter_strength_arrays.hpp"
#include "util/error.hpp"

namespace v3doff::h264 {

void bad_words(const char *what) {
    throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("words: ") + what);
}

namespace {

void check_weights(const v3doff_h264_prediction &of) {
    if (of.weighting > V3DOFF_H264_WEIGHTS_IMPLICIT) bad_words("a weighting that there is not");
    if (of.weighting == V3DOFF_H264_WEIGHTS_EXPLICIT &&
        (of.denominator[0] > 7 || of.denominator[1] > 7))
        bad_words("a denominator above 7");
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
    for (unsigned list = 0; list < 2; list++) {
        auto &numbers = numbers_[list];
        numbers.fill(missing);
        std::fill(numbers.begin() + 128, numbers.end(), unused_list); // negative indices
        for (unsigned i = 0; i < max_list_entries; i++) {
            const uint8_t reference = prediction_->reference[list][i];
            if (reference < V3DOFF_H264_REFERENCES && frame_.reference[reference])
                numbers[i] = int8_t(reference);
        }
    }
    if (prediction_->weighting != V3DOFF_H264_WEIGHTS_DEFAULT)
        for (auto &row : made_)
            row.fill(no_weights);
}

inline void WordsMotion::add_one(uint32_t x, uint32_t y) {
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

void WordsMotion::add_whole(uint32_t x, uint32_t y, const Part &part) {
    if (place(x, y) != run_.next || !(part == run_.part)) {
        end_run();
        run_.part = part;
    }
    run_.count++;
    run_.next = place(x, y) + 1;
}

void WordsMotion::add(uint32_t x, uint32_t y, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        add_one(x + i, y);
}

// In rectangles of 1, 2, 4 and 8 macroblocks.
void WordsMotion::end_run() {
    if (!run_.count) return;
    InterInput block = predicted_from(run_.part);
    const uint32_t first = run_.next - run_.count;
    block.x = uint16_t(16 * (first & 0xffff)), block.y = uint16_t(16 * (first >> 16));
    block.height = 16;
    for (; run_.count; run_.count -= block.width / 16, block.x += block.width) {
        block.width = run_.count >= 8 ? 128 : run_.count >= 4 ? 64 : run_.count >= 2 ? 32 : 16;
        inter_.append(block);
    }
}

inline InterInput WordsMotion::predicted_from(const Part &part) {
    InterInput block;
    std::memcpy(block.vector, part.vector, sizeof block.vector);
    const int8_t first = numbers_[0][uint8_t(part.index[0])];
    const int8_t second = numbers_[1][uint8_t(part.index[1])];
    if (first == missing || second == missing)
        bad_words("a macroblock of a reference that the picture does not have");
    if ((first & second) < 0) bad_words("an inter macroblock that is predicted from nothing");
    block.reference[0] = first, block.reference[1] = second;
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

} // namespace v3doff::h264
