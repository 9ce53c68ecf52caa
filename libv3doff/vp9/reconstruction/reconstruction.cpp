// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/reconstruction/reconstruction.hpp"

#include <cstring>

#include "picture/dump.hpp"
#include "picture/word_array.hpp"
#include "util/error.hpp"
#include "vp9/dump_format.hpp"

namespace v3doff::vp9 {

bool Reconstruction::supports(const PictureView &picture) {
    if (!supports(picture.format)) return false;
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

std::vector<uint32_t> Reconstruction::shaders(const PictureFormat &format) {
    std::vector<uint32_t> all = InterSources::shaders(format);
    for (const auto &some : {Residual::shaders(format), Intra::shaders(format)})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

void Reconstruction::clear_records() {
    recorded_ = false;
    frame_ = {};
    coefficients_.clear();
    inter_.clear();
    residual_.clear();
    intra_.clear();
}

void Reconstruction::clear() {
    clear_records();
    lanes_.clear();
}

// The records point into the lanes' memory, and their words were checked.
void Reconstruction::check_open() const {
    if (recorded_) throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture was already recorded");
}

void Reconstruction::Lane::take(const v3doff_vp9_words &words) {
    if (!words.block) return; // nothing yet
    take_words(block, words.block, words.block_end);
    take_words(transform, words.transform, words.transform_end);
    take_words(coefficient, words.coefficient, words.coefficient_end);
}

void Reconstruction::Lane::point(v3doff_vp9_words &words) {
    point_to_words(block, words.block, words.block_end);
    point_to_words(transform, words.transform, words.transform_end);
    point_to_words(coefficient, words.coefficient, words.coefficient_end);
    words.first_transform = words.transform - transform.size();
    words.first_coefficient = words.coefficient - coefficient.size();
}

void Reconstruction::Lane::clear() {
    block.clear();
    transform.clear();
    coefficient.clear();
}

void Reconstruction::make_room(uint32_t number, v3doff_vp9_words &words) {
    check_open();
    lanes_.make_room(number, words, [](Lane &lane) {
        lane.block.make_room(V3DOFF_VP9_BLOCK_WORDS);
        lane.transform.make_room(V3DOFF_VP9_TRANSFORM_WORDS);
        lane.coefficient.make_room(V3DOFF_VP9_COEFFICIENT_WORDS);
    });
}

void Reconstruction::end_lane(uint32_t number, const v3doff_vp9_words &words) {
    check_open();
    lanes_.end(number, words);
}

void Reconstruction::record(const PictureView &picture, const WordsFrame &frame) {
    check_open();
    try {
        expand(picture, frame);
    } catch (...) {
        clear_records();
        throw;
    }
    frame_ = frame;
    recorded_ = true;
}

void Reconstruction::expand(const PictureView &picture, const WordsFrame &frame) {
    InterWords &inter = inter_.begin(picture.format, frame.references);
    intra_.begin((picture.format.width + 63) / 64, (picture.format.height + 63) / 64);
    WordsExpander expander(picture, frame, inter, residual_, intra_);
    lanes_.each([&](uint32_t, const Lane &lane) {
        expander.expand(lane.block.span(), lane.transform.span(), lane.coefficient.span(),
                        coefficients_.size());
        coefficients_.add(lane.coefficient.span());
    });
    decoders_own_ = expander.decoders_own();
}

bool Reconstruction::save(const PictureFormat &, DumpWriter &writer) const {
    if (decoders_own_) return false;
    dump::WordsHeader header{frame_.lossless, frame_.partial, {-1, -1, -1}, {}};
    std::memcpy(header.dequantisation, frame_.dequantisation, sizeof header.dequantisation);
    for (size_t i = 0; i < inter_.references().size(); i++)
        if (const auto &reference = inter_.references()[i])
            header.reference[i] = int32_t(InterSources::save(*reference, writer));
    writer.begin_chunk(dump::vp9_words);
    writer.value(header);
    lanes_.each([&](uint32_t number, const Lane &lane) {
        const auto blocks = lane.block.span(), transforms = lane.transform.span(),
                   coefficients = lane.coefficient.span();
        writer.value(dump::WordsLane{number, uint32_t(blocks.size()), uint32_t(transforms.size()),
                                     uint32_t(coefficients.size())});
        for (const auto words : {blocks, transforms, coefficients})
            writer.bytes(words.data(), words.size_bytes());
    });
    writer.end_chunk();
    return true;
}

void Reconstruction::plan(const SampleMap &map, Plan &plan) {
    plan.old = frame_.partial ? Plan::Old::read : Plan::Old::gone;
    for (unsigned p = 0; p < map.format.planes(); p++) {
        const uint32_t blocks = (map.format.height + 7) / 8;
        plan.rows[p].add(0, blocks * 8 >> map.format.shift_y(p));
    }
    coefficients_.append_to(plan.arena);
    if (inter_.size()) inter_.plan(map, plan);
    if (residual_.size()) residual_.plan(map, coefficients_, plan);
    if (intra_.size()) intra_.plan(map, coefficients_, plan);
}

void Reconstruction::run_cpu(const PictureView &picture) {
    if (inter_.size()) inter_.run_cpu(picture);
    residual_.run_cpu(coefficients_, picture);
    intra_.run_cpu(coefficients_, picture);
}

} // namespace v3doff::vp9
