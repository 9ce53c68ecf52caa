// SPDX-License-Identifier: BSD-2-Clause
#include "api/h264_arrays.hpp"

#include "api/guard.hpp"

namespace v3doff::api {

h264::FilterArea h264_area_of(const PictureView &picture, v3doff_h264_structure structure,
                              bool mbaff) {
    if (structure < V3DOFF_H264_FRAME || structure > V3DOFF_H264_BOTTOM_FIELD)
        refuse("structure: unknown");
    const h264::FilterArea area = mbaff && structure == V3DOFF_H264_FRAME
                                      ? h264::mbaff_area(picture.format)
                                      : h264::filter_area(picture.format, h264::Lines(structure));
    if (!h264::holds(picture, area)) refuse("picture: its memory does not hold whole macroblocks");
    return area;
}

void check_h264_layout(const h264::FilterArea &area, const v3doff_h264_arrays &arrays) {
    constexpr uint32_t known =
        V3DOFF_H264_ARRAYS_FIELD | V3DOFF_H264_ARRAYS_MBAFF | V3DOFF_H264_ARRAYS_LUMA_ONLY;
    if (arrays.flags & ~known) refuse("arrays->flags: unknown");
    if (arrays.flags & V3DOFF_H264_ARRAYS_MBAFF) {
        require_pointer(arrays.field_pictures, "arrays->field_pictures");
        if (area.field || arrays.flags & V3DOFF_H264_ARRAYS_FIELD)
            refuse("arrays->flags: a field is no MBAFF frame");
    }
    if (arrays.mb_stride < area.mb_width) refuse("arrays->mb_stride: below the picture's width");
    const bool motion = arrays.motion[0] || arrays.motion[1];
    if (motion && (arrays.motion_stride < area.mb_width * size_t(4) ||
                   arrays.motion_mb_stride < area.mb_width * size_t(4)))
        refuse("arrays->motion_stride, motion_mb_stride: below the picture's width");
    if (!arrays.slice_count || arrays.slice_count > 0xffff)
        refuse("arrays->slice_count: not 1 to 65535");
}

h264::StrengthInput h264_strength_input(const PictureView &picture, const h264::FilterArea &area,
                                        const v3doff_h264_arrays &arrays) {
    h264::StrengthInput input;
    input.mb_width = area.mb_width;
    input.mb_height = area.mb_height;
    input.bit_depth = picture.format.bit_depth;
    input.field = area.field || arrays.flags & V3DOFF_H264_ARRAYS_FIELD;
    input.mbaff = arrays.flags & V3DOFF_H264_ARRAYS_MBAFF;
    input.luma_only = arrays.flags & V3DOFF_H264_ARRAYS_LUMA_ONLY;
    input.field_pictures = arrays.field_pictures;
    input.mb_stride = arrays.mb_stride;
    input.mb_type = arrays.mb_type;
    input.qp = arrays.qp;
    input.slice_table = arrays.slice_table;
    input.non_zero_count = arrays.non_zero_count;
    input.cbp = arrays.cbp;
    input.motion_stride = arrays.motion_stride;
    input.motion_mb_stride = arrays.motion_mb_stride;
    for (unsigned list = 0; list < 2; list++) {
        input.motion[list] = arrays.motion[list];
        input.reference[list] = arrays.reference[list];
    }
    input.slices = arrays.slices;
    input.slice_count = arrays.slice_count;
    return input;
}

} // namespace v3doff::api
