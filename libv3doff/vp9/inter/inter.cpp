// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/inter/inter.hpp"

#include "vk/shaders.hpp"
#include "vp9/dump_format.hpp"

namespace v3doff::vp9 {
namespace {

const InterPacker::Shaders &inter_shaders(uint32_t bit_depth) {
    static const InterPacker::Shaders shaders[2] = {
        {{vk::shader_index("vp9_inter_8"), vk::shader_index("vp9_inter_average_8")},
         vk::shader_index("vp9_inter_scaled_8")},
        {{vk::shader_index("vp9_inter_high"), vk::shader_index("vp9_inter_average_high")},
         vk::shader_index("vp9_inter_scaled_high")}};
    return shaders[bit_depth > 8];
}

} // namespace

bool InterSources::supports(const PictureFormat &format) {
    return (format.bit_depth == 8 || format.bit_depth == 10 || format.bit_depth == 12) &&
           format.chroma != V3DOFF_CHROMA_400; // VP9 has no monochrome
}

std::vector<uint32_t> InterSources::shaders(const PictureFormat &format) {
    const InterPacker::Shaders &all = inter_shaders(format.bit_depth);
    return {all.unscaled[0], all.unscaled[1]};
}

void InterSources::begin(const SampleMap &map, InterPacker &packer, Plan &plan) const {
    std::array<SampleMap, inter_references> maps;
    for (size_t i = 0; i < surface.size(); i++) {
        if (!surface[i]) continue;
        maps[i] = surface[i]->map();
        plan.references[i] = surface[i].get();
    }
    packer.begin(map, maps, inter_shaders(map.format.bit_depth), plan);
}

void InterSources::predict(const PictureView &picture, const InterInput &block) const {
    inter_predict_reference(picture, block, surface[block.reference]->view());
}

uint32_t InterSources::save(Surface &reference, DumpWriter &writer) {
    reference.wait_for_submit();
    const PictureView &view = reference.view();
    writer.begin_chunk(dump::vp9_reference);
    writer.value(dump::ReferenceHeader{view.format.width, view.format.height});
    writer.samples(view, false);
    writer.end_chunk();
    return writer.references++;
}

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
