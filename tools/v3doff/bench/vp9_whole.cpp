// SPDX-License-Identifier: BSD-2-Clause
// Whole VP9 pictures, reconstructed from words: a made-up inter picture, the one that the recipe is
// measured with (libv3doff/vp9/trial_picture.hpp), in the sizes of whole pictures.
#include <fmt/format.h>
#include <memory>

#include "bench/pictures.hpp"
#include "vp9/trial_picture.hpp"

#ifdef V3DOFF_HAVE_FFDSP
#include "ffdsp.h"
#endif

namespace tool::bench {
namespace {

using v3doff::vp9::TrialPicture;

class WholePicture {
  public:
    explicit WholePicture(const v3doff::PictureFormat &format) : content_(format) {}

    void make_reference(v3doff_device *device) {
        Pool pool = make_pool(device, content_.format.width, content_.format.height);
        reference_ = open_picture(pool.get());
        fill_samples(reference_.get(), 8, 0, 256);
        check(v3doff_picture_submit(reference_.get(), nullptr), "submitting the reference");
        check(v3doff_picture_wait(reference_.get(), UINT64_MAX), "waiting for the reference");
    }

    void record(v3doff_picture *picture) const {
        v3doff_vp9_words words{};
        for (size_t superblock = 0; superblock < content_.superblocks.size(); superblock++) {
            if (!v3doff_vp9_has_room(&words))
                check(v3doff_vp9_make_room(picture, 0, &words), "room for words");
            append_trial(content_, superblock, words);
        }
        check(v3doff_vp9_end_lane(picture, 0, &words), "ending a lane");
        v3doff_vp9_picture_info info{};
        info.struct_size = sizeof info;
        info.reference[0] = reference_.get();
        for (auto &factors : info.dequantisation[0])
            for (unsigned i = 0; i < 2; i++)
                factors[i] = int16_t(content_.factor[i]);
        check(v3doff_vp9_record_picture(picture, &info), "recording a picture");
        static_assert(sizeof content_.filter[0] == sizeof(v3doff_vp9_superblock));
        check(v3doff_vp9_record_loopfilter(
                  picture, 0,
                  reinterpret_cast<const v3doff_vp9_superblock *>(content_.filter.data()),
                  content_.filter.size()),
              "recording the loop filter");
    }

    size_t word_bytes() const {
        return 4 * (content_.coefficients.size() + 3 * content_.transforms.size() +
                    4 * content_.blocks.size());
    }

#ifdef V3DOFF_HAVE_FFDSP
    void reconstruct_by_ffmpeg(const v3doff_planes &planes, bool simd) const {
        const FfdspVp9 &from = *ffdsp_vp9(8, simd);
        v3doff_vp9dsp table{};
        std::memcpy(table.itxfm_add, from.itxfm_add, sizeof table.itxfm_add);
        std::memcpy(table.loop_filter_8, from.loop_filter_8, sizeof table.loop_filter_8);
        std::memcpy(table.loop_filter_16, from.loop_filter_16, sizeof table.loop_filter_16);
        std::memcpy(table.loop_filter_mix2, from.loop_filter_mix2, sizeof table.loop_filter_mix2);
        std::memcpy(table.mc, from.mc, sizeof table.mc);
        reconstruct_trial(content_, table, from.intra_pred, view_of(content_.format, planes),
                          view_of(content_.format, planes_of(reference_.get())));
        ffdsp_emms();
    }
#endif

  private:
    TrialPicture content_;
    Picture reference_;
};

Json run_whole(const Session &session, uint32_t height) {
    // Of whole 8x8 blocks: nothing hangs over the border, where decoders take other functions.
    const v3doff::PictureFormat format{(width_of(height) + 7) / 8 * 8, (height + 7) / 8 * 8, 8,
                                       V3DOFF_CHROMA_420};
    auto whole = std::make_shared<WholePicture>(format);
    Work work;
    work.name = fmt::format("VP9 whole pictures, 8 bit, {}x{} 4:2:0", format.width, format.height);
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

void time_whole(const Session &session, Json &results) {
    for (uint32_t height : session.heights)
        results.push_back(run_whole(session, height));
}

} // namespace

void add_vp9_whole(Families &families) {
    families.push_back(
        {"vp9_whole", "whole pictures of several sizes, reconstructed from words", time_whole});
}

} // namespace tool::bench
