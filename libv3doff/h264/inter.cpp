// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter.hpp"

#include "util/error.hpp"

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

} // namespace

bool Inter::supports(const PictureFormat &format) {
    return format.bit_depth >= 8 && format.bit_depth <= 14 && format.chroma != V3DOFF_CHROMA_440;
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
}

void Inter::plan(const SampleMap &, Plan &) {
    throw Error(V3DOFF_ERROR_UNSUPPORTED, "inter prediction has no shader yet");
}

bool Inter::save(const PictureFormat &, DumpWriter &) const {
    return false;
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

std::vector<uint32_t> Inter::shaders(const PictureFormat &) {
    return {};
}

} // namespace v3doff::h264
