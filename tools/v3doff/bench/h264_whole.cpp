// SPDX-License-Identifier: BSD-2-Clause
// Whole H.264 pictures, reconstructed from words: a made-up P picture, the one that the recipe is
// measured with (libv3doff/h264/trial_picture.hpp), in the sizes of whole pictures.
#include <fmt/format.h>
#include <memory>

#include "bench/pictures.hpp"
#include "h264/trial_picture.hpp"

#ifdef V3DOFF_HAVE_FFDSP
#include "h264_tables.hpp"
#endif

namespace tool::bench {
namespace {

using v3doff::h264::TrialPicture;
using v3doff::h264::TrialResidual;

class WholeH264Picture {
  public:
    explicit WholeH264Picture(const v3doff::PictureFormat &format) : content_(format) {}

    void make_reference(v3doff_device *device) {
        Pool pool = make_pool(device, content_.format.width, content_.format.height);
        reference_ = open_picture(pool.get());
        fill_samples(reference_.get(), 8, 0, 256);
        check(v3doff_picture_submit(reference_.get(), nullptr), "submitting the reference");
        check(v3doff_picture_wait(reference_.get(), UINT64_MAX), "waiting for the reference");
    }

    void record(v3doff_picture *picture) const {
        v3doff_h264_words words{};
        TrialResidual residual;
        check(v3doff_h264_make_room(picture, 0, &words, content_.mb_width * content_.mb_height),
              "room for words");
        for (uint32_t y = 0; y < content_.mb_height; y++)
            for (uint32_t x = 0; x < content_.mb_width; x++)
                append_trial(content_, x, y, residual, words);
        check(v3doff_h264_end_lane(picture, 0, &words), "ending a lane");
        const v3doff_h264_arrays arrays = content_.arrays();
        v3doff_h264_picture_info info{};
        info.struct_size = sizeof info;
        info.reference[0] = reference_.get();
        info.arrays = &arrays;
        info.predictions = &content_.prediction;
        check(v3doff_h264_record_picture(picture, &info), "recording a picture");
        check(v3doff_h264_record_deblock_arrays(picture, V3DOFF_H264_FRAME, &arrays),
              "recording the deblocking");
    }

    size_t word_bytes() const { // of coefficients and macroblocks
        size_t bytes = 0;
        TrialResidual residual;
        for (uint32_t y = 0; y < content_.mb_height; y++)
            for (uint32_t x = 0; x < content_.mb_width; x++) {
                residual.fill(content_, x, y);
                for (const uint16_t coded : residual.coded)
                    bytes += 32 * size_t(__builtin_popcount(coded));
                bytes += 12;
            }
        return bytes;
    }

#ifdef V3DOFF_HAVE_FFDSP
    void reconstruct_by_ffmpeg(const v3doff_planes &planes, bool simd) const {
        const FfdspH264 &from = *ffdsp_h264(8, 1, simd);
        reconstruct_trial(content_, h264_table(from), h264_predictors(from),
                          view_of(content_.format, planes),
                          view_of(content_.format, planes_of(reference_.get())));
        ffdsp_emms();
    }
#endif

  private:
    TrialPicture content_;
    Picture reference_;
};

Json run_h264_whole(const Session &session, uint32_t height) {
    const v3doff::PictureFormat format{width_of(height), height, 8, V3DOFF_CHROMA_420};
    auto whole = std::make_shared<WholeH264Picture>(format);
    Work work;
    work.name = fmt::format("H.264 whole pictures, 8 bit, {}x{} 4:2:0", format.width, format.height);
    work.width = format.width, work.height = format.height;
    work.prepare = [whole](v3doff_device *device) { whole->make_reference(device); };
    work.fill = [](v3doff_picture *) {}; // everything is written
    work.record = [whole](v3doff_picture *picture) { whole->record(picture); };
    work.record_bytes = whole->word_bytes();
#ifdef V3DOFF_HAVE_FFDSP
    work.ffmpeg = [whole](const v3doff_planes &planes, bool simd) {
        whole->reconstruct_by_ffmpeg(planes, simd);
    };
#endif
    return measure(session, work);
}

void time_h264_whole(const Session &session, Json &results) {
    for (uint32_t height : session.heights)
        results.push_back(run_h264_whole(session, height));
}

} // namespace

void add_h264_whole(Families &families) {
    families.push_back(
        {"h264_whole", "whole H.264 pictures of several sizes, reconstructed from words",
         time_h264_whole});
}

} // namespace tool::bench
