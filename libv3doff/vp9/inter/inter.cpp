// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/inter/inter.hpp"

namespace v3doff::vp9 {

InterWords &Inter::begin(const PictureFormat &format, const InterSources &references) {
    std::array<const PictureFormat *, inter_references> formats{};
    for (size_t i = 0; i < formats.size(); i++)
        if (const auto &reference = references.surface[i]) formats[i] = &reference->view().format;
    blocks_.begin(format, formats);
    references_ = references;
    return blocks_;
}

void Inter::clear() {
    blocks_.clear();
    references_ = {};
}

void Inter::plan(const SampleMap &map, Plan &plan) {
    references_.begin(map, packer_, plan);
    packer_.add(blocks_);
    packer_.finish(plan);
}

void Inter::run_cpu(const PictureView &picture) const {
    references_.run_cpu(picture, [&](auto predict) {
        const auto each_piece = [&](const InterBlock &block) {
            for (InterInput piece : blocks_.pieces(block)) {
                predict(piece);
                if (piece.plane++) predict(piece);
            }
        };
        for (const InterRecord &record : blocks_.blocks())
            each_piece(InterWords::block_of(record));
        for (const InterWords::Other &other : blocks_.others())
            each_piece(inter_block(other.words, other.which));
    });
}

} // namespace v3doff::vp9
