// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/h264.h"

#include "api/guard.hpp"
#include "api/h264_arrays.hpp"
#include "api/handles.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

void check_count(const h264::FilterArea &area, size_t count) {
    if (count != size_t(area.mb_width) * area.mb_height)
        refuse("count: " + std::to_string(count) + ", there are " + std::to_string(area.mb_width) +
               "x" + std::to_string(area.mb_height));
}

void check_arrays(const h264::FilterArea &area, const v3doff_h264_arrays &arrays) {
    require_pointer(arrays.mb_type, "arrays->mb_type");
    require_pointer(arrays.qp, "arrays->qp");
    require_pointer(arrays.slice_table, "arrays->slice_table");
    require_pointer(arrays.non_zero_count, "arrays->non_zero_count");
    require_pointer(arrays.slices, "arrays->slices");
    check_h264_layout(area, arrays);
}

void record_arrays(Picture &picture, const h264::FilterArea &area, const v3doff_h264_arrays &arrays,
                   uint32_t first_row, uint32_t rows) {
    const h264::StrengthInput input = h264_strength_input(picture.view(), area, arrays);
    if (input.mbaff && (first_row | rows) % 2) refuse("first_row, rows: half a pair");
    Picture::LaneGuard guard(picture, 0);
    auto &stage = picture.stage<h264::Filter>(Slot::filter);
    if (input.mbaff)
        stage.record_mbaff(area, input, first_row, rows);
    else
        stage.record(area, input, first_row, rows);
}

// For calls that record a whole picture.
void refuse_bands(const Picture &picture) {
    if (picture.submitted_rows()) refuse("picture: the deblocking of some rows was submitted");
}

} // namespace

v3doff_result v3doff_h264_record_deblock(v3doff_picture *picture, v3doff_h264_structure structure,
                                         const v3doff_h264_deblock_mb *macroblocks, size_t count) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        if (!h264::Filter::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
        require_pointer(macroblocks, "macroblocks");
        const h264::FilterArea area = h264_area_of(object.view(), structure);
        check_count(area, count);
        refuse_bands(object);
        Picture::LaneGuard guard(object, 0);
        object.stage<h264::Filter>(Slot::filter).record(object.format(), area, macroblocks);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_h264_record_deblock_arrays(v3doff_picture *picture,
                                                v3doff_h264_structure structure,
                                                const v3doff_h264_arrays *arrays) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        if (!h264::Filter::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
        const v3doff_h264_arrays known = read_struct(arrays, "arrays");
        const h264::FilterArea area =
            h264_area_of(object.view(), structure, known.flags & V3DOFF_H264_ARRAYS_MBAFF);
        check_arrays(area, known);
        refuse_bands(object);
        record_arrays(object, area, known, 0, area.mb_height);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_h264_record_deblock_rows(v3doff_picture *picture,
                                              v3doff_h264_structure structure,
                                              const v3doff_h264_arrays *arrays, uint32_t first_row,
                                              uint32_t rows) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        if (!h264::Filter::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
        const v3doff_h264_arrays known = read_struct(arrays, "arrays");
        const h264::FilterArea area =
            h264_area_of(object.view(), structure, known.flags & V3DOFF_H264_ARRAYS_MBAFF);
        check_arrays(area, known);
        if (!rows || first_row >= area.mb_height || rows > area.mb_height - first_row)
            refuse("first_row, rows: there are " + std::to_string(area.mb_height));
        if (first_row * (area.field ? 32 : 16) < object.submitted_rows())
            refuse("first_row: the deblocking of these rows was submitted");
        record_arrays(object, area, known, first_row, rows);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_h264_record_deblock_mbaff(v3doff_picture *picture,
                                               const v3doff_h264_deblock_mbaff_mb *macroblocks,
                                               size_t count) {
    return guarded(__func__, [&]() -> v3doff_result {
        Picture &object = *resolve(picture, "picture");
        if (!h264::Filter::supports(object.format())) return V3DOFF_ERROR_UNSUPPORTED;
        require_pointer(macroblocks, "macroblocks");
        const h264::FilterArea area = h264_area_of(object.view(), V3DOFF_H264_FRAME, true);
        check_count(area, count);
        refuse_bands(object);
        Picture::LaneGuard guard(object, 0);
        object.stage<h264::Filter>(Slot::filter).record_mbaff(object.format(), area, macroblocks);
        return V3DOFF_OK;
    });
}
