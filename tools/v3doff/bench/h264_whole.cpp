// SPDX-License-Identifier: BSD-2-Clause
#include "bench/h264_made_deblocking.hpp"
#include "bench/h264_made_picture.hpp"
#include "bench/whole.hpp"
#include "util/divide.hpp"

namespace tool::bench {
namespace {

using h264::MadePicture;
using h264::MadeResidual;

class WholeH264Picture final : public WholePicture {
  public:
    explicit WholeH264Picture(const MadePicture &content)
        : WholePicture(content.format), content_(content) {}

    void record(v3doff_picture *picture) const override {
        v3doff_h264_words words{};
        MadeResidual residual;
        check(v3doff_h264_make_room(picture, 0, &words, content_.mb_width * content_.mb_height),
              "room for words");
        content_.each(
            [&](uint32_t x, uint32_t y) { append_made(content_, x, y, residual, words); });
        check(v3doff_h264_end_lane(picture, 0, &words), "ending a lane");
        const v3doff_h264_arrays arrays = content_.arrays();
        v3doff_h264_picture_info info{};
        info.struct_size = sizeof info;
        info.reference[0] = reference();
        info.predictions = content_.predictions();
        check(v3doff_h264_record_rows(picture, V3DOFF_H264_FRAME, &arrays, 0, V3DOFF_H264_ALL_ROWS),
              "handing over macroblocks");
        check(v3doff_h264_record_picture(picture, &info), "recording a picture");
    }

    size_t word_bytes() const override { // of coefficients and macroblocks
        size_t bytes = 0;
        MadeResidual residual;
        content_.each([&](uint32_t x, uint32_t y) {
            residual.fill(content_, x, y);
            for (const uint16_t coded : residual.coded)
                bytes += 32 * size_t(__builtin_popcount(coded));
            bytes += 12;
        });
        return bytes;
    }

    void reconstruct_by_ffmpeg(const v3doff_planes &planes, bool simd) const override {
        h264::reconstruct_by_ffmpeg(content_, *ffdsp_h264(8, 1, simd),
                                    view_of(content_.format, planes),
                                    view_of(content_.format, planes_of(reference())));
        deblocking_.run(planes, simd);
    }

  private:
    MadePicture content_;
    h264::FfmpegDeblocking deblocking_{content_};
};

void time_h264_whole(const Session &session, Json &results) {
    for (uint32_t height : session.heights) {
        const v3doff::PictureFormat format{width_of(height), height, 8, V3DOFF_CHROMA_420};
        results.push_back(
            run_whole(session, "H.264", std::make_shared<WholeH264Picture>(MadePicture(format))));
        results.push_back(
            run_whole(session, "H.264 intra",
                      std::make_shared<WholeH264Picture>(MadePicture::of_intra(format))));
        v3doff::PictureFormat of_pairs = format;
        of_pairs.height = v3doff::divide_up(height, 32u) * 32; // 7.4.2.1.1
        results.push_back(
            run_whole(session, "H.264 MBAFF",
                      std::make_shared<WholeH264Picture>(MadePicture::of_pairs(of_pairs))));
    }
}

} // namespace

void add_h264_whole(Families &families) {
    families.push_back({"h264_whole",
                        "whole H.264 pictures of several sizes, reconstructed from words",
                        time_h264_whole});
}

} // namespace tool::bench
