// SPDX-License-Identifier: BSD-2-Clause
#include "h264/words_motion.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "h264/filter_strength_arrays.hpp"
#include "util/error.hpp"

namespace v3doff::h264 {

void bad_words(const char *what) {
    throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("words: ") + what);
}

void check_weights(const v3doff_h264_prediction &of) {
    if (of.weighting > V3DOFF_H264_WEIGHTS_IMPLICIT) bad_words("an unknown weighting");
    if (of.weighting == V3DOFF_H264_WEIGHTS_EXPLICIT &&
        (of.denominator[0] > 7 || of.denominator[1] > 7))
        bad_words("a denominator above 7");
}

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
            if (frame_.has_source(reference)) numbers[i] = int8_t(reference);
        }
    }
    weighted_ = prediction_->weighting != V3DOFF_H264_WEIGHTS_DEFAULT;
    if (weighted_)
        for (auto &row : made_)
            row.fill(no_weights);
}

void WordsMotion::add_whole(uint32_t x, uint32_t y, const Part &part) {
    if (place(x, y) != run_.next || !(part == run_.part)) {
        end_run();
        run_.part = part;
        run_.count = 0;
    }
    run_.count++;
    run_.next = place(x, y) + 1;
}

void WordsMotion::add(uint32_t x, uint32_t y, uint32_t count) {
    const StrengthInput &in = frame_.arrays;
    size_t at = y * in.mb_stride + x, motion_at = y * in.motion_mb_stride + 4 * x;
    for (const uint32_t end = x + count; x < end; x++, at++, motion_at += 4) {
        if (const uint16_t slice = in.slice_table[at]; slice != slice_) begin_slice(slice);
        const uint32_t type = in.mb_type[at];
        if (type & (mb_intra | missing_lists_))
            bad_words(type & mb_intra ? "an intra macroblock without its modes"
                                      : "a list without arrays");
        if (!(type & mb_16x16)) {
            add_parts(x, y, type);
            continue;
        }
        Part part;
        for (unsigned list = 0; list < 2; list++)
            if (type & partition_uses(0, list)) {
                part.index[list] = in.reference[list][4 * at];
                part.vector[list] = load32(in.motion[list][motion_at]);
            }
        add_whole(x, y, part);
    }
}

// In rectangles of 1, 2, 4 and 8 macroblocks.
void WordsMotion::end_run() {
    uint32_t count = run_.count;
    if (!count) return;
    InterInput block = predicted_from(run_.part);
    const uint32_t first = run_.next - count;
    block.x = uint16_t(16 * first), block.y = uint16_t(first >> 16 << 4);
    block.height = 16;
    for (;; block.x += block.width) {
        const uint32_t size = std::min(std::bit_floor(count), 8u);
        block.width = uint8_t(16 * size);
        inter_.append(block);
        if (!(count -= size)) break;
    }
    run_.count = 0;
}

inline uint16_t WordsMotion::weights(const Part &part) {
    uint32_t &made =
        made_[size_t(std::max(+part.index[0], -1) + 1)][size_t(std::max(+part.index[1], -1) + 1)];
    if (made == no_weights) made = make_weights(part);
    return uint16_t(made);
}

inline InterInput WordsMotion::predicted_from(const Part &part) {
    const int8_t first = numbers_[0][uint8_t(part.index[0])];
    const int8_t second = numbers_[1][uint8_t(part.index[1])];
    if (first == missing || second == missing)
        bad_words("a macroblock of a reference that the picture does not have");
    if ((first & second) < 0) bad_words("an inter macroblock that is predicted from nothing");
    InterInput block;
    block.reference[0] = first, block.reference[1] = second;
    block.weights = weighted_ ? weights(part) : 0;
    std::memcpy(block.vector, part.vector, sizeof block.vector);
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
