// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/vp9_words.h"

#include <algorithm>
#include <cstring>

#include "api/recording.hpp"
#include "vp9/reconstruction/reconstruction.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

vp9::Reconstruction &stage_of(Picture &picture) {
    return picture.stage<vp9::Reconstruction>(Slot::reconstruction);
}

void check_filter(const PictureFormat &format, const v3doff_vp9_picture_info &info) {
    if (info.filtered_rows > (format.height + 63) / 64)
        refuse("info->filtered_rows: the picture has " + std::to_string((format.height + 63) / 64));
    if (!info.filtered_rows) return;
    if (info.sharpness > 7) refuse("info->sharpness: is not 0 to 7");
    for (const auto &segment : info.filter_level)
        for (const auto &reference : segment)
            if (std::max(reference[0], reference[1]) > 63)
                refuse("info->filter_level: is not 0 to 63");
}

vp9::WordsFrame frame_of(Picture &picture, v3doff_picture *handle,
                         const v3doff_vp9_picture_info &info) {
    vp9::WordsFrame frame;
    frame.lossless = info.lossless != 0;
    frame.partial = info.partial != 0;
    frame.transforms = {info.itxfm_add, info.add_residual, info.opaque};
    std::memcpy(frame.dequantisation, info.dequantisation, sizeof frame.dequantisation);
    frame.filtered_rows = info.filtered_rows;
    frame.sharpness = info.sharpness;
    std::memcpy(frame.filter_level, info.filter_level, sizeof frame.filter_level);
    for (size_t i = 0; i < std::size(info.reference); i++)
        if (info.reference[i])
            frame.references.surface[i] = surface_of(picture, handle, info.reference[i]);
    return frame;
}

} // namespace

v3doff_result v3doff_vp9_make_room(v3doff_picture *picture, uint32_t lane,
                                   v3doff_vp9_words *words) {
    return with_words(__func__, picture, lane, words,
                      [&](Picture &object) { stage_of(object).make_room(lane, *words); });
}

v3doff_result v3doff_vp9_end_lane(v3doff_picture *picture, uint32_t lane,
                                  const v3doff_vp9_words *words) {
    return with_words(__func__, picture, lane, words,
                      [&](Picture &object) { stage_of(object).end_lane(lane, *words); });
}

v3doff_result v3doff_vp9_record_picture(v3doff_picture *picture,
                                        const v3doff_vp9_picture_info *info) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        const v3doff_vp9_picture_info known = read_struct(info, "info");
        if (object.borrowed() || !vp9::Reconstruction::supports(object.view()))
            return V3DOFF_ERROR_UNSUPPORTED;
        check_filter(object.format(), known);
        Picture::LaneGuard guard(object, 0);
        stage_of(object).record(object.view(), frame_of(object, picture, known),
                                object.stage<vp9::Filter>(Slot::filter));
        return V3DOFF_OK;
    });
}
