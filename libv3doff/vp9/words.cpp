// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/words.hpp"

#include "picture/word_array.hpp"
#include "util/error.hpp"
#include "vp9/inter.hpp"
#include "vp9/inter_position.hpp"
#include "vp9/intra.hpp"
#include "vp9/residual.hpp"
#include "vp9/words_expand.hpp"

namespace v3doff::vp9 {

bool Words::supports(const PictureView &picture) {
    if (!Inter::supports(picture.format)) return false;
    for (unsigned p = 0; p < picture.format.planes(); p++) {
        const PlaneView &plane = picture.plane[p];
        const uint32_t unit_x = 64 >> picture.format.shift_x(p),
                       unit_y = 64 >> picture.format.shift_y(p);
        if (plane.padded_width < (plane.width + unit_x - 1) / unit_x * unit_x ||
            plane.padded_height < (plane.height + unit_y - 1) / unit_y * unit_y)
            return false; // blocks end in the padding
    }
    return true;
}

void Words::clear() {
    recorded_ = false;
    for (auto &lane : lanes_)
        if (lane) {
            lane->block.clear();
            lane->transform.clear();
            lane->coefficient.clear();
        }
}

Words::Lane &Words::lane(uint32_t number) {
    std::lock_guard lock(mutex_);
    if (!lanes_[number]) lanes_[number] = std::make_unique<Lane>();
    return *lanes_[number];
}

void Words::Lane::take(const v3doff_vp9_words &words) {
    if (!words.block) return; // nothing yet
    take_words(block, words.block, words.block_end);
    take_words(transform, words.transform, words.transform_end);
    take_words(coefficient, words.coefficient, words.coefficient_end);
}

void Words::Lane::point(v3doff_vp9_words &words) {
    point_to_words(block, words.block, words.block_end);
    point_to_words(transform, words.transform, words.transform_end);
    point_to_words(coefficient, words.coefficient, words.coefficient_end);
    words.first_transform = words.transform - transform.size();
    words.first_coefficient = words.coefficient - coefficient.size();
}

// Without memory for all arrays, some may have moved.
void Words::make_room(uint32_t number, v3doff_vp9_words &words) {
    Lane &to = lane(number);
    to.take(words);
    try {
        to.block.make_room(V3DOFF_VP9_BLOCK_WORDS);
        to.transform.make_room(V3DOFF_VP9_TRANSFORM_WORDS);
        to.coefficient.make_room(V3DOFF_VP9_COEFFICIENT_WORDS);
    } catch (...) {
        to.point(words);
        throw;
    }
    to.point(words);
}

void Words::end_lane(uint32_t number, const v3doff_vp9_words &words) {
    lane(number).take(words);
}

void Words::record(const PictureView &picture, const WordsFrame &frame, Inter &inter,
                   Residual &residual, Intra &intra) {
    if (recorded_) throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture was recorded");
    intra.begin((picture.format.width + 63) / 64, (picture.format.height + 63) / 64);
    WordsExpander expander(picture, frame, inter.begin_whole(picture.format, frame.reference),
                           residual, intra);
    for (const auto &lane : lanes_)
        if (lane)
            expander.expand(lane->block.span(), lane->transform.span(), lane->coefficient.span());
    recorded_ = true;
    partial_ = frame.partial;
}

void Words::plan(const SampleMap &map, Plan &plan) {
    plan.whole = !partial_;
    for (unsigned p = 0; p < map.format.planes(); p++) {
        const uint32_t blocks = (map.format.height + 7) / 8;
        plan.rows[p].add(0, blocks * 8 >> map.format.shift_y(p));
    }
}

} // namespace v3doff::vp9
