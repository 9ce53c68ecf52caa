// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/h264_words.h"

#include "api/guard.hpp"
#include "api/h264_arrays.hpp"
#include "api/whole_picture.hpp"
#include "h264/inter.hpp"
#include "h264/intra.hpp"
#include "h264/residual.hpp"
#include "h264/words.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

h264::Words &h264_words_of(Picture &picture) {
    return picture.stage<h264::Words>(Slot::words);
}

h264::StrengthInput motion_of(const Picture &picture, v3doff_h264_structure structure,
                              const v3doff_h264_arrays &arrays) {
    require_pointer(arrays.mb_type, "arrays->mb_type");
    require_pointer(arrays.slice_table, "arrays->slice_table");
    if (arrays.flags & V3DOFF_H264_ARRAYS_MBAFF) refuse("arrays->flags: an MBAFF frame");
    if (structure == V3DOFF_H264_FRAME && arrays.flags & V3DOFF_H264_ARRAYS_FIELD)
        refuse("arrays->flags: a field, but info->structure is a frame");
    const h264::FilterArea area = h264_area_of(picture.view(), structure);
    check_h264_layout(area, arrays);
    return h264_strength_input(picture.view(), area, arrays);
}

h264::WordsFrame h264_frame_of(Picture &picture, v3doff_picture *handle,
                               const v3doff_h264_picture_info &info) {
    h264::WordsFrame frame;
    frame.lines = h264::Lines(info.structure);
    frame.partial = info.partial != 0;
    frame.predictions = info.predictions;
    frame.arrays = motion_of(picture, info.structure, read_struct(info.arrays, "info->arrays"));
    for (size_t i = 0; i < frame.reference.size(); i++) {
        if (!info.reference[i]) continue;
        if (info.reference[i] == handle && frame.lines.field) {
            if (frame.own != h264::Inter::no_own)
                refuse("info->reference: the picture itself twice");
            frame.own = uint32_t(i);
            continue;
        }
        frame.reference[i] = surface_of(picture, handle, info.reference[i]);
        const PictureFormat &theirs = frame.reference[i]->view().format;
        if (theirs.width != picture.format().width || theirs.height != picture.format().height)
            refuse("info->reference: of another size");
    }
    return frame;
}

} // namespace

v3doff_result v3doff_h264_make_room(v3doff_picture *picture, uint32_t lane,
                                    v3doff_h264_words *words, uint32_t macroblocks) {
    return guarded(__func__, [&] {
        Picture &object = *resolve(picture, "picture");
        check_lane(lane);
        require_pointer(words, "words");
        Picture::LaneGuard guard(object, lane);
        h264_words_of(object).make_room(object.format(), lane, *words, macroblocks);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_h264_end_lane(v3doff_picture *picture, uint32_t lane,
                                   const v3doff_h264_words *words) {
    return guarded(__func__, [&] {
        Picture &object = *resolve(picture, "picture");
        check_lane(lane);
        require_pointer(words, "words");
        Picture::LaneGuard guard(object, lane);
        h264_words_of(object).end_lane(lane, *words);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_h264_record_picture(v3doff_picture *picture,
                                         const v3doff_h264_picture_info *info) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        const v3doff_h264_picture_info known = read_struct(info, "info");
        if (object.borrowed() ||
            !h264::Words::supports(object.view(), h264::Lines(known.structure)))
            return V3DOFF_ERROR_UNSUPPORTED;
        Picture::LaneGuard guard(object, 0);
        const h264::WordsFrame frame = h264_frame_of(object, picture, known);
        h264::WordsStages stages{object.stage<h264::Inter>(Slot::prediction),
                                 object.stage<h264::Residual>(Slot::transform),
                                 object.stage<h264::Intra>(Slot::intra),
                                 object.stage<h264::Filter>(Slot::filter)};
        try {
            h264_words_of(object).record(object.view(), frame, stages);
        } catch (...) {
            stages.clear();
            throw;
        }
        return V3DOFF_OK;
    });
}
