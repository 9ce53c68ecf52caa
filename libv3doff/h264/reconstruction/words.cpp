// SPDX-License-Identifier: BSD-2-Clause
#include "h264/reconstruction/words.hpp"

#include <algorithm>

#include "h264/dump_format.hpp"
#include "h264/intra/intra.hpp"
#include "h264/reconstruction/expand.hpp"
#include "h264/residual/residual.hpp"
#include "picture/word_array.hpp"

namespace v3doff::h264 {
namespace {

// Those that the words lack are predicted from nothing.
void mask_missing(std::span<const uint8_t> present, Macroblocks::Part &macroblocks) {
    for (size_t at = 0; at < present.size(); at++)
        if (!present[at])
            for (auto &list : macroblocks.macroblocks[at].reference)
                list = ~0u;
}

} // namespace

void WordsStages::clear() {
    inter.clear();
    residual.clear();
    intra.clear();
}

bool Words::supports(const PictureView &picture, const Lines &lines) {
    return Inter::supports(picture.format) && Intra::supports(picture.format) &&
           Residual::supports(picture.format) &&
           MacroblockArea(picture.format, lines).fits(picture);
}

void Words::clear() {
    recorded_ = false;
    dump_.clear();
    for (auto &lane : lanes_)
        if (lane) {
            lane->macroblock.clear();
            lane->coefficient.clear();
        }
}

Words::Lane &Words::lane(uint32_t number) {
    std::lock_guard lock(mutex_);
    if (!lanes_[number]) lanes_[number] = std::make_unique<Lane>();
    return *lanes_[number];
}

void Words::Lane::take(const v3doff_h264_words &words) {
    if (!words.macroblock) return; // nothing yet
    take_words(macroblock, words.macroblock, words.macroblock_end);
    take_words(coefficient, words.coefficient, words.coefficient_end);
}

void Words::Lane::point(v3doff_h264_words &words) {
    point_to_words(macroblock, words.macroblock, words.macroblock_end);
    point_to_words(coefficient, words.coefficient, words.coefficient_end);
}

// Without memory for both arrays, one may have moved.
void Words::make_room(const PictureFormat &format, uint32_t number, v3doff_h264_words &words,
                      uint32_t macroblocks) {
    if (recorded_) throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture was already recorded");
    const uint32_t most = ((format.width + 15) / 16) * ((format.height + 15) / 16);
    const size_t count = std::min(macroblocks, most);
    Lane &to = lane(number);
    to.take(words);
    try {
        to.macroblock.make_room(count * V3DOFF_H264_MACROBLOCK_WORDS);
        to.coefficient.make_room(count * most_coefficient_words(format));
    } catch (...) {
        to.point(words);
        throw;
    }
    to.point(words);
}

void Words::end_lane(uint32_t number, const v3doff_h264_words &words) {
    if (recorded_) throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture was already recorded");
    lane(number).take(words);
}

void Words::record(const PictureView &picture, const PictureSources &from,
                   Macroblocks::Part &macroblocks, bool partial, const WordsStages &stages) {
    if (recorded_) throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture was already recorded");
    const size_t count = macroblocks.count();
    present_.clear();
    std::fill_n(present_.append(count), count, uint8_t(0));
    Inter::check(picture.format, from);
    coefficients_.clear();
    MacroblockBatch &residuals =
        stages.residual.begin_macroblocks(picture.format, from.lines, coefficients_);
    stages.intra.begin(picture.format, from.lines, macroblocks.mb_width, macroblocks.rows,
                       coefficients_);
    WordsExpander expander(picture.format, macroblocks, stages.intra, residuals, &present_[0]);
    for (const auto &lane : lanes_) {
        if (!lane) continue;
        expander.expand(lane->macroblock.span(), lane->coefficient.span(), coefficients_.size());
        coefficients_.add(lane->coefficient.span());
    }
    if (expander.macroblocks() != count) {
        if (!partial) throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "words: macroblocks are missing");
        mask_missing(present_.span(), macroblocks);
    }
    if (expander.predicted()) {
        if (!from.predictions) bad_words("inter macroblocks without what slices predict from");
        stages.inter.record(picture.format, from, macroblocks);
    }
    recorded_ = true;
    partial_ = partial;
    field_ = from.lines.field;
    residual_ = &stages.residual, intra_ = &stages.intra;
    if (Dump::wanted())
        dump_.keep(from, macroblocks.slice_count, partial, stages.inter.used_references());
}

// For all stages that the words have become records of.
bool Words::save(const PictureFormat &, DumpWriter &writer) const {
    dump_.begin_save(writer);
    for (uint32_t number = 0; number < lanes_.size(); number++) {
        if (!lanes_[number]) continue;
        const auto macroblocks = lanes_[number]->macroblock.span(),
                   coefficients = lanes_[number]->coefficient.span();
        writer.value(dump::H264WordsLane{number, uint32_t(macroblocks.size()),
                                         uint32_t(coefficients.size())});
        for (const auto words : {macroblocks, coefficients})
            writer.bytes(words.data(), words.size_bytes());
    }
    writer.end_chunk();
    return true;
}

void Words::plan(const SampleMap &map, Plan &plan) {
    plan.whole = !partial_ && !field_;
    plan.fresh = !partial_;
    coefficients_.append_to(plan.arena);
    MacroblockBatch::plan_records(residual_->macroblocks(), intra_->residuals(), plan);
    const uint32_t lines = field_ ? 32 : 16; // of a row of macroblocks
    const uint32_t rows = (map.format.height + lines - 1) / lines * lines;
    for (unsigned p = 0; p < map.format.planes(); p++)
        plan.rows[p].add(0, rows >> map.format.shift_y(p));
}

} // namespace v3doff::h264
