// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "picture/dump.hpp"
#include "vp9/dump_format.hpp"
#include "vp9/inter/inter.hpp"

namespace v3doff::vp9 {

void save_reference(const PictureView &from, DumpWriter &writer) {
    writer.begin_chunk(dump::vp9_reference);
    writer.value(dump::ReferenceHeader{from.format.width, from.format.height});
    writer.visible_samples(from);
    writer.end_chunk();
}

bool Inter::save(const PictureFormat &, DumpWriter &writer) const {
    if (!whole_.empty())
        return std::none_of(lanes_.begin(), lanes_.end(),
                            [](const auto &lane) { return lane && !lane->blocks.empty(); });
    for (unsigned i = 0; i < reference_count_; i++)
        save_reference(references_[i]->view(), writer);
    writer.begin_chunk(dump::vp9_mc);
    each_block([&](const InterInput &block) {
        writer.value(dump::McItem{block.x,
                                  block.y,
                                  block.ref_x,
                                  block.ref_y,
                                  uint8_t(block.plane),
                                  block.width,
                                  block.height,
                                  block.mx,
                                  block.my,
                                  block.step_x,
                                  block.step_y,
                                  block.filter,
                                  block.average,
                                  block.reference,
                                  {}});
    });
    writer.end_chunk();
    return true;
}

} // namespace v3doff::vp9
