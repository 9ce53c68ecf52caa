// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter.hpp"

#include <cstring>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "v3doff/h264.h"

using namespace v3doff;
using namespace v3doff::api;

static_assert(sizeof(v3doff_h264_inter_block) == sizeof(h264::InterInput) &&
              offsetof(v3doff_h264_inter_block, vector) == offsetof(h264::InterInput, vector));
static_assert(sizeof(v3doff_h264_inter_weights) == sizeof(h264::InterWeights) &&
              offsetof(v3doff_h264_inter_weights, offset) == offsetof(h264::InterWeights, offset));

namespace {

bool is_side(uint32_t side) {
    return side == 4 || side == 8 || side == 16;
}

void check_block(const PictureView &picture, const v3doff_h264_inter &inter,
                 const v3doff_h264_inter_block &block) {
    if (!is_side(block.width) || !is_side(block.height))
        refuse("blocks->width, height: not 4, 8 or 16");
    if (block.x % 4 || block.y % 4) refuse("blocks->x, y: not multiples of 4");
    if (block.x + block.width > h264::inter_width(picture.format, 0) ||
        block.y + block.height > h264::inter_height(picture.format, 0))
        refuse("blocks->x, y: the block ends outside of the picture's macroblocks");
    if (block.reference[0] < 0 && block.reference[1] < 0)
        refuse("blocks->reference: no list is used");
    for (int number : block.reference)
        if (number >= 0 && (size_t(number) >= inter.reference_count || !inter.references[number]))
            refuse("blocks->reference: there is no number " + std::to_string(number));
    if (block.weights > inter.weights_count)
        refuse("blocks->weights: there is no entry " + std::to_string(block.weights));
}

void check_weights(const v3doff_h264_inter_weights &weights) {
    for (int plane = 0; plane < 3; plane++)
        for (int list = 0; list < 2; list++)
            if (weights.denominator[plane > 0] > 7 || weights.weight[list][plane] < -128 ||
                weights.weight[list][plane] > 128 || weights.offset[list][plane] < -128 ||
                weights.offset[list][plane] > 127)
                refuse("weights: a denominator above 7, a weight or an offset beyond 8 bits");
}

std::shared_ptr<Surface> reference_of(Picture &picture, v3doff_picture *handle) {
    if (!handle) return nullptr;
    Picture &reference = *resolve(handle, "inter->references");
    if (&reference == &picture) refuse("inter->references: the picture itself");
    if (picture.pool().device() != reference.pool().device())
        refuse("inter->references: a picture of another device");
    return reference.as_reference();
}

void check_room(const PictureView &view) {
    for (unsigned p = 0; p < view.format.planes(); p++)
        if (view.plane[p].padded_width < h264::inter_width(view.format, p) ||
            view.plane[p].padded_height < h264::inter_height(view.format, p))
            refuse("picture: no room for whole macroblocks");
}

void record_all(h264::Inter &stage, const v3doff_h264_inter &inter) {
    for (size_t i = 0; i < inter.weights_count; i++) {
        h264::InterWeights weights;
        std::memcpy(&weights, &inter.weights[i], sizeof weights);
        stage.add_weights(weights);
    }
    for (size_t i = 0; i < inter.block_count; i++) {
        h264::InterInput block;
        std::memcpy(&block, &inter.blocks[i], sizeof block);
        stage.append(block);
    }
}

} // namespace

v3doff_result v3doff_h264_record_inter(v3doff_picture *picture, const v3doff_h264_inter *inter) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        const v3doff_h264_inter known = read_struct(inter, "inter");
        if (known.reference_count) require_pointer(known.references, "inter->references");
        if (known.weights_count) require_pointer(known.weights, "inter->weights");
        if (known.block_count) require_pointer(known.blocks, "inter->blocks");
        check_room(object.view());
        for (size_t i = 0; i < known.weights_count; i++)
            check_weights(known.weights[i]);
        for (size_t i = 0; i < known.block_count; i++)
            check_block(object.view(), known, known.blocks[i]);
        if (!h264::Inter::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
        if (known.reference_count > max_references)
            throw Error(V3DOFF_ERROR_LIMIT, "inter->references: more than sixteen");
        std::vector<std::shared_ptr<Surface>> references;
        for (size_t i = 0; i < known.reference_count; i++)
            references.push_back(reference_of(object, known.references[i]));
        Picture::LaneGuard guard(object, 0);
        auto &stage = object.stage<h264::Inter>(Slot::prediction);
        if (stage.records())
            throw Error(V3DOFF_ERROR_INVALID_STATE,
                        "the picture's inter prediction was already recorded");
        try {
            stage.begin(object.format(), {}, references);
            record_all(stage, known);
        } catch (...) {
            stage.clear();
            throw;
        }
        return V3DOFF_OK;
    });
}
