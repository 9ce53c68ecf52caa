// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/reconstruction/reconstruction.hpp"

#include <cstring>

#include "vk/shaders.hpp"
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
    return vk::joined(
        {InterSources::shaders(format), Residual::shaders(format), Intra::shaders(format)});
}

void Reconstruction::clear_records() {
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

void Reconstruction::record(const PictureView &picture, const WordsFrame &frame, Filter &filter) {
    bool filters = false;
    lanes_.record(
        [&] {
            FilterMarks marks;
            if (frame.filtered_rows)
                marks = {picture.format,
                         filter.begin(picture.format, frame.sharpness, frame.filtered_rows),
                         frame.filtered_rows};
            filters = frame.filtered_rows > 0;
            expand(picture, frame, marks);
            if (filters) marks.finish();
        },
        [&] {
            clear_records();
            if (filters) filter.clear();
        });
    frame_ = frame;
}

void Reconstruction::expand(const PictureView &picture, const WordsFrame &frame,
                            const FilterMarks &marks) {
    InterWords &inter = inter_.begin(picture.format, frame.references);
    intra_.begin((picture.format.width + 63) / 64, (picture.format.height + 63) / 64);
    WordsExpander expander(picture, frame, inter, residual_, intra_, marks);
    lanes_.each([&](const auto &lane) {
        const auto &[blocks, transforms, coefficients] = lane;
        expander.expand(blocks.span(), transforms.span(), coefficients.span(),
                        coefficients_.size());
        coefficients_.add(coefficients.span());
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
    lanes_.save(writer);
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
