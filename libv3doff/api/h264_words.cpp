// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/h264_words.h"

#include "api/recording.hpp"
#include "h264/reconstruction/reconstruction.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

h264::Reconstruction &h264_stage_of(Picture &picture) {
    return picture.stage<h264::Reconstruction>(Slot::reconstruction);
}

h264::PictureSources sources_of(Picture &picture, v3doff_picture *handle,
                                const v3doff_h264_picture_info &info) {
    h264::PictureSources from;
    from.lines = h264::Lines(info.structure);
    from.predictions = info.predictions;
    from.field_implicit = info.field_implicit;
    for (size_t i = 0; i < from.reference.size(); i++) {
        if (!info.reference[i]) continue;
        if (info.reference[i] == handle && from.lines.field) {
            if (from.own != h264::no_own_reference)
                refuse("info->reference: the picture itself twice");
            from.own = uint32_t(i);
            continue;
        }
        from.reference[i] = surface_of(picture, handle, info.reference[i]);
        const PictureFormat &theirs = from.reference[i]->view().format;
        if (theirs.width != picture.format().width || theirs.height != picture.format().height)
            refuse("info->reference: of another size");
    }
    return from;
}

} // namespace

v3doff_result v3doff_h264_make_room(v3doff_picture *picture, uint32_t lane,
                                    v3doff_h264_words *words, uint32_t macroblocks) {
    return with_words(__func__, picture, lane, words, [&](Picture &object) {
        h264_stage_of(object).make_room(object.format(), lane, *words, macroblocks);
    });
}

v3doff_result v3doff_h264_end_lane(v3doff_picture *picture, uint32_t lane,
                                   const v3doff_h264_words *words) {
    return with_words(__func__, picture, lane, words,
                      [&](Picture &object) { h264_stage_of(object).end_lane(lane, *words); });
}

v3doff_result v3doff_h264_record_picture(v3doff_picture *picture,
                                         const v3doff_h264_picture_info *info) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        const v3doff_h264_picture_info known = read_struct(info, "info");
        if (known.structure < V3DOFF_H264_FRAME || known.structure > V3DOFF_H264_BOTTOM_FIELD)
            refuse("info->structure: unknown");
        const h264::Lines lines(known.structure);
        if (object.borrowed() || !h264::Reconstruction::supports(object.view(), lines))
            return V3DOFF_ERROR_UNSUPPORTED;
        Picture::LaneGuard guard(object, 0);
        const h264::PictureSources from = sources_of(object, picture, known);
        auto *const macroblocks = object.stage<h264::Macroblocks>(Slot::macroblocks).of(lines);
        if (!macroblocks || !macroblocks->whole)
            throw Error(V3DOFF_ERROR_INVALID_STATE, "macroblocks were not handed over");
        if (macroblocks->mbaff && (object.format().height + 15) / 16 % 2)
            refuse("picture: an MBAFF frame with an odd number of rows of macroblocks");
        h264_stage_of(object).record(object.view(), from, *macroblocks, known.partial != 0);
        return V3DOFF_OK;
    });
}
