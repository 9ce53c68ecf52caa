// SPDX-License-Identifier: BSD-2-Clause
#include "bench/h264_made_deblocking.hpp"

#include <algorithm>
#include <stdexcept>

namespace tool::bench::h264 {
namespace {

size_t stride_of(const MadePicture &content) {
    return content.mb_width + 1;
}
size_t first_of(const MadePicture &content) {
    return 2 * stride_of(content) + 1;
}

// each: how many elements a macroblock has.
template <typename T>
std::vector<T> with_border(const MadePicture &content, const std::vector<T> &from, T outside,
                           size_t each = 1) {
    const size_t stride = stride_of(content) * each, row = content.mb_width * each;
    const size_t first = first_of(content) * each;
    std::vector<T> all(first + stride * content.mb_height, outside);
    for (size_t y = 0; y < content.mb_height; y++)
        std::copy_n(&from[y * row], row, &all[first + y * stride]);
    return all;
}

// Which 8x8 blocks of luma have coefficients (coded_block_pattern).
std::vector<uint16_t> coded_blocks(const MadePicture &content) {
    std::vector<uint16_t> all;
    for (const MadePicture::Counts &counts : content.counts) {
        unsigned coded = 0;
        for (unsigned block = 0; block < 16; block++)
            if (counts.of_block[block]) coded |= 1u << (block / 8 * 2 + block % 4 / 2);
        all.push_back(uint16_t(coded));
    }
    return all;
}

} // namespace

FfmpegDeblocking::FfmpegDeblocking(const MadePicture &content)
    : type_(with_border(content, content.type, 0u)),
      qp_(with_border(content, content.qp, int8_t(0))),
      reference_(with_border(content, content.reference, int8_t(-1), 4)),
      slice_(with_border(content, std::vector<uint16_t>(content.type.size(), 1), no_slice)),
      coded_blocks_(with_border(content, coded_blocks(content), uint16_t(0))),
      counts_(with_border(content, content.counts, {})), motion_(content.motion) {
    of_picture_.lists = 1;
    for (unsigned i = 0; i < max_list_entries; i++)
        of_picture_.field_picture[0][i] = uint8_t(i);
    const size_t first = first_of(content);
    filter_.bit_depth = 8, filter_.chroma_format_idc = 1, filter_.cabac = 1;
    filter_.structure = 3;
    filter_.mbaff = content.mbaff;
    filter_.mb_width = int(content.mb_width), filter_.mb_height = int(content.mb_height);
    filter_.mb_stride = int(stride_of(content));
    filter_.mb_type = &type_[first];
    filter_.qscale = &qp_[first];
    filter_.slice_table = &slice_[first];
    filter_.non_zero_count = &counts_[first].of_block;
    filter_.cbp = &coded_blocks_[first];
    filter_.motion[0] = reinterpret_cast<int16_t(*)[2]>(motion_.data());
    filter_.reference[0] = &reference_[4 * first];
    filter_.slices = &of_picture_;
    filter_.slice_count = 1;
}

void FfmpegDeblocking::run(const v3doff_planes &planes, bool simd) const {
    FfdspFilter filter = filter_;
    for (unsigned p = 0; p < 3; p++)
        filter.data[p] = static_cast<uint8_t *>(planes.data[p]);
    filter.stride[0] = planes.stride[0], filter.stride[1] = planes.stride[1];
    if (ffdsp_filter_picture(&filter, simd, nullptr, nullptr) != 0)
        throw std::runtime_error("FFmpeg's filter refuses the picture");
}

} // namespace tool::bench::h264
