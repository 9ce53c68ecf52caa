// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/h264.h"

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "h264/filter/filter.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

using h264::MacroblockArea;

MacroblockArea area_of(const PictureView &picture, v3doff_h264_structure structure,
                       bool mbaff = false) {
    if (structure < V3DOFF_H264_FRAME || structure > V3DOFF_H264_BOTTOM_FIELD)
        refuse("structure: unknown");
    const h264::Lines lines(structure);
    const MacroblockArea area(picture.format, lines, mbaff && !lines.field);
    if (!area.fits(picture)) refuse("picture: its memory does not hold whole macroblocks");
    return area;
}

void check_count(const MacroblockArea &area, size_t count) {
    if (count != area.count())
        refuse("count: " + std::to_string(count) + ", there are " + std::to_string(area.mb_width) +
               "x" + std::to_string(area.mb_height));
}

void check_arrays(const MacroblockArea &area, const v3doff_h264_arrays &arrays) {
    constexpr uint32_t known = V3DOFF_H264_ARRAYS_FIELD | V3DOFF_H264_ARRAYS_MBAFF |
                               V3DOFF_H264_ARRAYS_LUMA_ONLY | V3DOFF_H264_ARRAYS_UNFILTERED;
    const bool filtered = !(arrays.flags & V3DOFF_H264_ARRAYS_UNFILTERED);
    require_pointer(arrays.mb_type, "arrays->mb_type");
    require_pointer(arrays.slice_table, "arrays->slice_table");
    if (filtered) {
        require_pointer(arrays.qp, "arrays->qp");
        require_pointer(arrays.non_zero_count, "arrays->non_zero_count");
        require_pointer(arrays.slices, "arrays->slices");
    }
    if (arrays.flags & ~known) refuse("arrays->flags: unknown");
    if (arrays.flags & V3DOFF_H264_ARRAYS_MBAFF) {
        if (filtered) require_pointer(arrays.field_pictures, "arrays->field_pictures");
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

h264::Arrays input_of(const PictureView &picture, const MacroblockArea &area,
                      const v3doff_h264_arrays &arrays) {
    h264::Arrays input;
    input.mb_width = area.mb_width;
    input.mb_height = area.mb_height;
    input.bit_depth = picture.format.bit_depth;
    input.field = area.field || arrays.flags & V3DOFF_H264_ARRAYS_FIELD;
    input.mbaff = arrays.flags & V3DOFF_H264_ARRAYS_MBAFF;
    input.filtered = !(arrays.flags & V3DOFF_H264_ARRAYS_UNFILTERED);
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

// For calls that record a whole picture.
void refuse_bands(const Picture &picture) {
    if (picture.submitted_rows()) refuse("picture: the deblocking of some rows was submitted");
}

template <typename Input>
v3doff_result record_deblock(v3doff_picture *picture, v3doff_h264_structure structure,
                             const Input *macroblocks, size_t count, bool mbaff) {
    Picture &object = *resolve(picture, "picture");
    if (!h264::Filter::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
    require_pointer(macroblocks, "macroblocks");
    const MacroblockArea area = area_of(object.view(), structure, mbaff);
    check_count(area, count);
    refuse_bands(object);
    Picture::LaneGuard guard(object, 0);
    object.stage<h264::Filter>(Slot::filter).record(object.format(), area, macroblocks);
    return V3DOFF_OK;
}

void record_macroblocks(Picture &picture, const MacroblockArea &area, const h264::Arrays &input,
                        uint32_t first_row, uint32_t rows) {
    Picture::LaneGuard guard(picture, 0);
    auto &macroblocks = picture.stage<h264::Macroblocks>(Slot::macroblocks);
    if (!input.filtered) {
        macroblocks.record(area, input, first_row, rows);
        return;
    }
    auto &filter = picture.stage<h264::Filter>(Slot::filter);
    filter.check_free(area, input.luma_only);
    filter.derive(macroblocks.record(area, input, first_row, rows));
}

} // namespace

v3doff_result v3doff_h264_record_deblock(v3doff_picture *picture, v3doff_h264_structure structure,
                                         const v3doff_h264_deblock_mb *macroblocks, size_t count) {
    return guarded(__func__,
                   [&] { return record_deblock(picture, structure, macroblocks, count, false); });
}

v3doff_result v3doff_h264_record_deblock_mbaff(v3doff_picture *picture,
                                               const v3doff_h264_deblock_mbaff_mb *macroblocks,
                                               size_t count) {
    return guarded(__func__, [&] {
        return record_deblock(picture, V3DOFF_H264_FRAME, macroblocks, count, true);
    });
}

v3doff_result v3doff_h264_record_rows(v3doff_picture *picture, v3doff_h264_structure structure,
                                      const v3doff_h264_arrays *arrays, uint32_t first_row,
                                      uint32_t rows) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        if (!h264::Filter::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
        const v3doff_h264_arrays known = read_struct(arrays, "arrays");
        const MacroblockArea area =
            area_of(object.view(), structure, known.flags & V3DOFF_H264_ARRAYS_MBAFF);
        check_arrays(area, known);
        if (rows == V3DOFF_H264_ALL_ROWS) {
            refuse_bands(object);
            rows = area.mb_height;
        }
        if (!rows || first_row >= area.mb_height || rows > area.mb_height - first_row)
            refuse("first_row, rows: there are " + std::to_string(area.mb_height));
        if (first_row * area.lines_of_row() < object.submitted_rows())
            refuse("first_row: the deblocking of these rows was submitted");
        const h264::Arrays input = input_of(object.view(), area, known);
        if (input.mbaff && (first_row | rows) % 2) refuse("first_row, rows: half a pair");
        record_macroblocks(object, area, input, first_row, rows);
        return V3DOFF_OK;
    });
}
