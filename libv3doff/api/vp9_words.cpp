// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/vp9_words.h"

#include <cstring>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "vp9/filter.hpp"
#include "vp9/inter.hpp"
#include "vp9/intra.hpp"
#include "vp9/residual.hpp"
#include "vp9/words.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

std::shared_ptr<PictureMemory> surface_of(Picture &picture, v3doff_picture *handle) {
    Picture &reference = *resolve(handle, "info->reference");
    if (picture.pool().device() != reference.pool().device())
        refuse("info->reference: a picture of another device");
    const PictureFormat &ours = picture.format(), &theirs = reference.format();
    if (ours.bit_depth != theirs.bit_depth || ours.chroma != theirs.chroma)
        refuse("info->reference: of another bit depth or chroma format");
    return reference.as_surface();
}

vp9::Words &words_of(Picture &picture) {
    return picture.stage<vp9::Words>(Slot::words);
}

vp9::WordsFrame frame_of(Picture &picture, v3doff_picture *handle,
                         const v3doff_vp9_picture_info &info) {
    vp9::WordsFrame frame;
    frame.lossless = info.lossless != 0;
    frame.partial = info.partial != 0;
    frame.itxfm_add = info.itxfm_add;
    std::memcpy(frame.dequantisation, info.dequantisation, sizeof frame.dequantisation);
    for (size_t i = 0; i < frame.reference.size(); i++) {
        if (!info.reference[i]) continue;
        if (info.reference[i] == handle) refuse("info->reference: the picture itself");
        frame.reference[i] = surface_of(picture, info.reference[i]);
    }
    return frame;
}

void check_lane(uint32_t lane) {
    if (lane >= V3DOFF_LANES) refuse("lane: " + std::to_string(lane) + " is not below 64");
}

} // namespace

v3doff_result v3doff_vp9_make_room(v3doff_picture *picture, uint32_t lane,
                                   v3doff_vp9_words *words) {
    return guarded(__func__, [&] {
        Picture &object = *resolve(picture, "picture");
        check_lane(lane);
        require_pointer(words, "words");
        Picture::LaneGuard guard(object, lane);
        words_of(object).make_room(lane, *words);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_vp9_end_lane(v3doff_picture *picture, uint32_t lane,
                                  const v3doff_vp9_words *words) {
    return guarded(__func__, [&] {
        Picture &object = *resolve(picture, "picture");
        check_lane(lane);
        require_pointer(words, "words");
        Picture::LaneGuard guard(object, lane);
        words_of(object).end_lane(lane, *words);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_vp9_record_picture(v3doff_picture *picture,
                                        const v3doff_vp9_picture_info *info) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        const v3doff_vp9_picture_info known = read_struct(info, "info");
        if (object.borrowed() || !vp9::Words::supports(object.view()))
            return V3DOFF_ERROR_UNSUPPORTED;
        Picture::LaneGuard guard(object, 0);
        const vp9::WordsFrame frame = frame_of(object, picture, known);
        auto &inter = object.stage<vp9::Inter>(Slot::prediction);
        auto &residual = object.stage<vp9::Residual>(Slot::transform);
        auto &intra = object.stage<vp9::Intra>(Slot::intra);
        try {
            words_of(object).record(object.view(), frame, inter, residual, intra);
        } catch (...) {
            inter.clear();
            residual.clear();
            intra.clear();
            throw;
        }
        return V3DOFF_OK;
    });
}
