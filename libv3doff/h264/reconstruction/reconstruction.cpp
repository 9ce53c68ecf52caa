// SPDX-License-Identifier: BSD-2-Clause
#include "h264/reconstruction/reconstruction.hpp"

#include <algorithm>

#include "h264/dump_format.hpp"
#include "h264/reconstruction/expand.hpp"
#include "h264/residual/calls.hpp"
#include "vk/shaders.hpp"

namespace v3doff::h264 {
namespace {

// Neighbours of a pair must know which lines its macroblocks have. The filter has checked it.
void check_pairs(std::span<const uint8_t> present, const MacroblockTable &macroblocks) {
    for (size_t at = 0; at < present.size(); at += 2) {
        const auto *const pair = &macroblocks.macroblocks[at];
        if (present[at] && present[at + 1] && (pair[0].bits ^ pair[1].bits) & MB_FIELD)
            bad_words("a pair of a frame and a field macroblock");
    }
}

// Those that the words lack are predicted from nothing.
void mask_missing(std::span<const uint8_t> present, Macroblocks::Part &macroblocks) {
    for (size_t at = 0; at < present.size(); at++)
        if (!present[at])
            for (auto &list : macroblocks.macroblocks[at].reference)
                list = ~0u;
}

void save_reference(const PictureView &from, DumpWriter &writer) {
    writer.begin_chunk(dump::h264_reference);
    for (unsigned p = 0; p < from.format.planes(); p++) {
        const size_t row = size_t(inter_width(from.format, p)) * from.format.sample_bytes();
        for (uint32_t y = 0; y < inter_height(from.format, p); y++)
            writer.bytes(from.plane[p].data + ptrdiff_t(y) * from.plane[p].stride, row);
    }
    writer.end_chunk();
}

} // namespace

bool Reconstruction::supports(const PictureFormat &format) {
    return Inter::supports(format) && ResidualCalls::supports(format);
}

bool Reconstruction::supports(const PictureView &picture, const Lines &lines) {
    return supports(picture.format) && MacroblockArea(picture.format, lines).fits(picture);
}

std::vector<uint32_t> Reconstruction::shaders(const PictureFormat &format) {
    return vk::joined(
        {Inter::shaders(format), ResidualCalls::shaders(format), Intra::shaders(format)});
}

void Reconstruction::clear_records() {
    coefficients_.clear();
    inter_.clear();
    residuals_.clear();
    intra_.clear();
    dump_header_.data().clear();
    dump_references_.clear();
}

void Reconstruction::clear() {
    clear_records();
    lanes_.clear();
}

void Reconstruction::make_room(const PictureFormat &format, uint32_t number,
                               v3doff_h264_words &words, uint32_t macroblocks) {
    const uint32_t most = divide_up(format.width, 16u) * divide_up(format.height, 32u) * 2;
    const size_t count = std::min(macroblocks, most);
    lanes_.make_room(
        number, words,
        {count * V3DOFF_H264_MACROBLOCK_WORDS, count * most_coefficient_words(format)});
}

void Reconstruction::record(const PictureView &picture, const PictureSources &from,
                            Macroblocks::Part &macroblocks, bool partial) {
    lanes_.record([&] { expand(picture, from, macroblocks, partial); }, [&] { clear_records(); });
    partial_ = partial;
    lines_ = from.lines;
    if (Dump::wanted()) keep_for_dump(from, macroblocks.slice_count);
}

void Reconstruction::expand(const PictureView &picture, const PictureSources &from,
                            Macroblocks::Part &macroblocks, bool partial) {
    const size_t count = macroblocks.count();
    present_.clear();
    std::fill_n(present_.append(count), count, uint8_t(0));
    Inter::check(picture.format, from);
    coefficients_.clear();
    residuals_.begin(picture.format, coefficients_);
    intra_.begin(picture.format, macroblocks.mb_width, macroblocks.rows, coefficients_,
                 macroblocks.mbaff);
    WordsExpander expander(picture.format, macroblocks, intra_, residuals_, &present_[0]);
    lanes_.each([&](const auto &lane) {
        const auto &[words, coefficients] = lane;
        expander.expand(words.span(), coefficients.span(), coefficients_.size());
        coefficients_.add(coefficients.span());
    });
    if (macroblocks.mbaff && !macroblocks.filtered) check_pairs(present_.span(), macroblocks);
    if (expander.macroblocks() != count) {
        if (!partial) bad_words("macroblocks are missing");
        mask_missing(present_.span(), macroblocks);
    }
    if (!expander.predicted()) return;
    if (!from.predictions) bad_words("inter macroblocks without what slices predict from");
    inter_.record(picture.format, from, macroblocks);
}

void Reconstruction::keep_for_dump(const PictureSources &from, size_t slices) {
    const uint32_t used = inter_.used_references();
    dump::H264WordsHeader header{
        uint32_t(lines_.structure()), partial_, uint32_t(from.predictions ? slices : 0), {}};
    for (size_t i = 0; i < from.reference.size(); i++) {
        header.reference[i] = i == from.own ? dump::h264_own_reference : dump::h264_no_reference;
        if (!from.reference[i] || !(used >> i & 1)) continue;
        header.reference[i] = int32_t(dump_references_.size());
        dump_references_.push_back(from.reference[i]);
    }
    const bool fields = from.predictions && from.field_implicit;
    if (fields) header.structure |= dump::h264_field_implicit;
    dump_header_.value(header);
    if (from.predictions) dump_header_.bytes(from.predictions, slices * sizeof *from.predictions);
    if (fields) dump_header_.bytes(from.field_implicit, slices * sizeof *from.field_implicit);
}

bool Reconstruction::save(const PictureFormat &, DumpWriter &writer) const {
    for (const auto &reference : dump_references_) {
        reference->wait_for_submit();
        save_reference(reference->view(), writer);
    }
    writer.begin_chunk(dump::h264_words);
    writer.bytes(dump_header_.data().data(), dump_header_.data().size());
    lanes_.save(writer);
    writer.end_chunk();
    return true;
}

void Reconstruction::plan(const SampleMap &frame, Plan &plan) {
    const SampleMap map = lines_.of(frame);
    plan.old = partial_ ? Plan::Old::read : lines_.field ? Plan::Old::beside : Plan::Old::gone;
    const uint32_t lines = lines_.field ? 32 : 16; // of a row of macroblocks
    const uint32_t rows = divide_up(frame.format.height, lines) * lines;
    for (unsigned p = 0; p < frame.format.planes(); p++)
        plan.rows[p].add(0, rows >> frame.format.shift_y(p));
    coefficients_.append_to(plan.arena);
    MacroblockBatch::plan_records(residuals_, intra_.residuals(), plan);
    if (inter_.size()) inter_.plan(frame, plan);
    if (residuals_.size()) plan_residuals(residuals_, map.format, residual_dispatch(map), plan);
    if (intra_.size()) intra_.plan(map, plan);
}

void Reconstruction::run_cpu(const PictureView &frame) {
    const PictureView picture = lines_.of(frame);
    if (inter_.size()) inter_.run_cpu(frame);
    if (residuals_.size()) residuals_.run_cpu(picture);
    if (intra_.size()) intra_.run_cpu(picture);
}

} // namespace v3doff::h264
