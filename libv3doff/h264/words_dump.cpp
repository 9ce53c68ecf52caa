// SPDX-License-Identifier: BSD-2-Clause
#include "h264/words_dump.hpp"

#include "h264/dump_format.hpp"
#include "h264/filter_dump.hpp"
#include "h264/inter_reference.hpp"
#include "h264/words.hpp"

namespace v3doff::h264 {
namespace {

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

void WordsDump::keep(const WordsFrame &frame, uint32_t used) {
    clear();
    const StrengthInput &arrays = frame.arrays;
    const auto lists = used_lists(arrays);
    dump::H264WordsHeader header{uint32_t(frame.lines.structure()),
                                 frame.partial,
                                 arrays.mb_width,
                                 arrays.mb_height,
                                 uint32_t(arrays.slice_count),
                                 frame.predictions != nullptr,
                                 {lists[0], lists[1]},
                                 {}};
    for (size_t i = 0; i < frame.reference.size(); i++) {
        header.reference[i] = i == frame.own ? dump::h264_own_reference : dump::h264_no_reference;
        if (!frame.reference[i] || !(used >> i & 1)) continue;
        header.reference[i] = int32_t(references_.size());
        references_.push_back(frame.reference[i]);
    }
    kept_.value(header);
    each_macroblock(arrays, [&](size_t at) { kept_.value(arrays.mb_type[at]); });
    each_macroblock(arrays, [&](size_t at) { kept_.value(arrays.slice_table[at]); });
    for (unsigned list = 0; list < 2; list++)
        if (lists[list]) dump_motion(arrays, list, kept_);
    if (frame.predictions)
        kept_.bytes(frame.predictions, arrays.slice_count * sizeof *frame.predictions);
}

void WordsDump::clear() {
    kept_.data().clear();
    references_.clear();
}

void WordsDump::begin_save(DumpWriter &writer) const {
    for (const auto &reference : references_) {
        reference->wait_for_submit();
        save_reference(reference->view(), writer);
    }
    writer.begin_chunk(dump::h264_words);
    writer.bytes(kept_.data().data(), kept_.data().size());
}

} // namespace v3doff::h264
