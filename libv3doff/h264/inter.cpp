// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter.hpp"

#include "util/error.hpp"
#include "vk/shaders.hpp"

namespace v3doff::h264 {
namespace {

constexpr size_t most_weights = 65536;

bool has_room(const PictureView &view) {
    for (unsigned p = 0; p < view.format.planes(); p++)
        if (view.plane[p].padded_width < inter_width(view.format, p) ||
            view.plane[p].padded_height < inter_height(view.format, p))
            return false;
    return true;
}

const InterPacker::Shaders &inter_shaders(uint32_t bit_depth) {
    static const InterPacker::Shaders shaders[2] = {
        {vk::shader_index("h264_inter_8"), vk::shader_index("h264_inter_average_8"),
         vk::shader_index("h264_inter_weighted_8")},
        {vk::shader_index("h264_inter_high"), vk::shader_index("h264_inter_average_high"),
         vk::shader_index("h264_inter_weighted_high")}};
    return shaders[bit_depth > 8];
}

} // namespace

bool Inter::supports(const PictureFormat &format) {
    return format.bit_depth >= 8 && format.bit_depth <= 14 && format.chroma != V3DOFF_CHROMA_440;
}

std::vector<uint32_t> Inter::shaders(const PictureFormat &format) {
    const InterPacker::Shaders &all = inter_shaders(format.bit_depth);
    return {all.put, all.average, all.weighted};
}

void Inter::begin(const PictureFormat &format,
                  std::span<const std::shared_ptr<Surface>> references) {
    clear();
    if (references.size() > max_references)
        throw Error(V3DOFF_ERROR_LIMIT, "references: a picture has at most sixteen");
    for (const auto &reference : references) {
        if (!reference) continue;
        if (reference->view().format != format)
            throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "references: of another format");
        if (!has_room(reference->view()))
            throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "references: no room for whole macroblocks");
    }
    references_.assign(references.begin(), references.end());
}

uint16_t Inter::add_weights(const InterWeights &weights) {
    if (weights_.empty()) weights_.emplace_back();
    if (weights_.size() == most_weights)
        throw Error(V3DOFF_ERROR_LIMIT, "weights: more than a picture has slices");
    weights_.push_back(weights);
    return uint16_t(weights_.size() - 1);
}

void Inter::clear() {
    blocks_.clear();
    weights_.clear();
    references_.clear();
    of_words_ = false;
}

uint32_t Inter::used_references() const {
    uint32_t used = 0;
    for (const InterInput &block : blocks_.span())
        for (const int8_t reference : block.reference)
            if (reference >= 0) used |= 1u << reference;
    return used;
}

void Inter::plan(const SampleMap &map, Plan &plan) {
    if (!blocks_.size()) return;
    std::array<SampleMap, max_references> sources;
    for (size_t i = 0; i < references_.size(); i++)
        if (references_[i]) sources[i] = references_[i]->map();
    const size_t before = plan.dispatches.size();
    packer_.begin(map, {sources.data(), references_.size()}, weights_,
                  inter_shaders(map.format.bit_depth), plan);
    packer_.add(blocks_.span(), plan);
    packer_.finish(plan);
    // Those that are read, no others: a discrete GPU copies them.
    for (size_t i = before; i < plan.dispatches.size(); i++) {
        const uint32_t reference = plan.dispatches[i].reference;
        plan.references[reference] = references_[reference].get();
    }
}

void Inter::run_cpu(const PictureView &picture) {
    for (const auto &reference : references_)
        if (reference) reference->wait_for_submit();
    for (const InterInput &block : blocks_.span()) {
        const PictureView *from[2] = {};
        for (unsigned list = 0; list < 2; list++)
            if (block.reference[list] >= 0)
                from[list] = &references_[size_t(block.reference[list])]->view();
        inter_predict_reference(picture, block, from,
                                block.weights ? &weights_[block.weights] : nullptr);
    }
}

} // namespace v3doff::h264
