// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/h264.h"

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "h264/deblock.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

h264::DeblockArea area_of(const PictureView &picture, v3doff_h264_structure structure,
                          size_t count) {
    if (structure < V3DOFF_H264_FRAME || structure > V3DOFF_H264_BOTTOM_FIELD)
        refuse("structure: unknown");
    const h264::DeblockArea area = h264::deblock_area(picture.format, structure);
    if (count != size_t(area.mb_width) * area.mb_height)
        refuse("count: " + std::to_string(count) + ", there are " + std::to_string(area.mb_width) +
               "x" + std::to_string(area.mb_height));
    if (!h264::holds(picture, area)) refuse("picture: its memory does not hold whole macroblocks");
    return area;
}

} // namespace

v3doff_result v3doff_h264_record_deblock(v3doff_picture *picture, v3doff_h264_structure structure,
                                         const v3doff_h264_deblock_mb *macroblocks, size_t count) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        if (!h264::Deblock::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
        require_pointer(macroblocks, "macroblocks");
        const h264::DeblockArea area = area_of(object.view(), structure, count);
        Picture::LaneGuard guard(object, 0);
        object.stage<h264::Deblock>(Slot::filter).record(object.format(), area, macroblocks);
        return V3DOFF_OK;
    });
}
