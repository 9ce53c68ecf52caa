// SPDX-License-Identifier: BSD-2-Clause
#include "h264/reconstruction/dump.hpp"

#include "h264/dump_format.hpp"
#include "h264/inter/reference.hpp"

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

void WordsDump::keep(const PictureSources &from, size_t slices, bool partial, uint32_t used) {
    clear();
    dump::H264WordsHeader header{
        uint32_t(from.lines.structure()), partial, uint32_t(from.predictions ? slices : 0), {}};
    for (size_t i = 0; i < from.reference.size(); i++) {
        header.reference[i] = i == from.own ? dump::h264_own_reference : dump::h264_no_reference;
        if (!from.reference[i] || !(used >> i & 1)) continue;
        header.reference[i] = int32_t(references_.size());
        references_.push_back(from.reference[i]);
    }
    kept_.value(header);
    if (from.predictions) kept_.bytes(from.predictions, slices * sizeof *from.predictions);
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
