// SPDX-License-Identifier: BSD-2-Clause
#include "generators/h264_filter_strength_ffmpeg.hpp"

#include <algorithm>
#include <cstring>

namespace v3doff::check {

FfmpegInput::FfmpegInput(H264Arrays &arrays, int chroma_format_idc) {
    const H264ArraysShape &shape = arrays.shape();
    for (size_t n = 0; n < arrays.starts().size(); n++) {
        const v3doff_h264_slice &from = arrays.slice(n);
        FfdspFilterSlice slice{};
        const uint32_t first = arrays.starts()[n].first, width = shape.mb_width;
        slice.first = int(shape.mbaff ? first / 2 / width * 2 * width + first / 2 % width : first);
        slice.disable_deblocking_filter = int(from.disable_deblocking_filter);
        slice.offset_a = from.filter_offset_a;
        slice.offset_b = from.filter_offset_b;
        slice.lists = int(arrays.starts()[n].lists);
        std::memcpy(slice.picture, from.picture, sizeof slice.picture);
        std::memcpy(slice.field_picture, arrays.field_pictures(n).data(),
                    sizeof slice.field_picture);
        slices_.push_back(slice);
    }
    filter.bit_depth = int(shape.bit_depth);
    filter.chroma_format_idc = chroma_format_idc;
    filter.cabac = shape.cabac;
    filter.structure = int(shape.structure);
    filter.mbaff = shape.mbaff;
    filter.mb_width = int(shape.mb_width);
    filter.mb_height = int(shape.mb_height) << unsigned(arrays.field());
    filter.mb_stride = int(arrays.mb_stride());
    std::copy_n(shape.chroma_qp_index_offset, 2, filter.chroma_qp_index_offset);
    filter.mb_type = arrays.mb_type();
    filter.qscale = arrays.qp();
    filter.slice_table = arrays.slice_table();
    filter.non_zero_count = arrays.non_zero_count();
    filter.cbp = arrays.cbp();
    for (unsigned list = 0; list < 2; list++) {
        filter.motion[list] = arrays.motion(list);
        filter.reference[list] = arrays.reference(list);
    }
    filter.slices = slices_.data();
    filter.slice_count = int(slices_.size());
}

} // namespace v3doff::check
