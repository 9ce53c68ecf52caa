// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include "bench/works.hpp"
#include "generators/h264_filter_strength_ffmpeg.hpp"

namespace tool::bench {
namespace {

using v3doff::check::H264Arrays;
using v3doff::check::H264ArraysShape;
using v3doff::check::H264Slices;

// Random macroblocks: more partitions and vectors than streams have.
std::shared_ptr<H264Arrays> random_arrays(uint32_t width, uint32_t height, H264Slices slices) {
    H264ArraysShape shape;
    shape.mb_width = (width + 15) / 16;
    shape.mb_height = (height + 15) / 16;
    shape.slices = slices;
    shape.one_slice = true;
    H264Arrays::Random random(1);
    return std::make_shared<H264Arrays>(shape, random);
}

void filter_by_ffmpeg(H264Arrays &arrays, const v3doff_planes &planes, bool simd) {
    v3doff::check::FfmpegInput input(arrays, 1);
    for (unsigned p = 0; p < 3; p++)
        input.filter.data[p] = static_cast<uint8_t *>(planes.data[p]);
    input.filter.stride[0] = planes.stride[0];
    input.filter.stride[1] = planes.stride[1];
    if (ffdsp_filter_picture(&input.filter, simd, nullptr, nullptr) != 0)
        throw std::runtime_error("FFmpeg's filter refuses the picture");
}

void time_h264_strength(const Session &session, Json &results) {
    for (auto [width, height] : {std::pair{1920u, 1080u}, {3840u, 2160u}})
        for (bool b_slices : {false, true})
            results.push_back(measure(session, h264_strengths(width, height, b_slices)));
}

} // namespace

Work h264_strengths(uint32_t width, uint32_t height, bool b_slices) {
    auto from = random_arrays(width, height, b_slices ? H264Slices::b : H264Slices::p);
    Work work;
    work.name = fmt::format("H.264 strengths and deblocking, 8 bit 4:2:0, {}x{}, {} slices", width,
                            height, b_slices ? "B" : "P");
    work.width = width;
    work.height = height;
    work.fill = [](v3doff_picture *picture) { fill_samples(picture, 8, 100, 16); };
    work.record = [from](v3doff_picture *picture) {
        const v3doff_h264_arrays arrays = from->arrays();
        check(v3doff_h264_record_rows(picture, V3DOFF_H264_FRAME, &arrays, 0, V3DOFF_H264_ALL_ROWS),
              "recording the deblocking");
    };
    work.ffmpeg = [from](const v3doff_planes &planes, bool simd) {
        filter_by_ffmpeg(*from, planes, simd);
    };
    work.remake = [=] { return h264_strengths(width, height, b_slices); };
    return work;
}

void add_h264_strength(Families &families) {
    families.push_back({"h264_strength",
                        "H.264 deblocking with strengths derived from motion, random",
                        time_h264_strength});
}

} // namespace tool::bench
