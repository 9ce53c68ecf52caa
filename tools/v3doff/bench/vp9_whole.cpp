// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>

#include "bench/vp9_made_picture.hpp"
#include "bench/whole.hpp"

namespace tool::bench {
namespace {

using vp9::MadePicture;

class WholeVp9Picture final : public WholePicture {
  public:
    explicit WholeVp9Picture(const MadePicture &content)
        : WholePicture(content.format), content_(content) {}

    void record(v3doff_picture *picture) const override {
        v3doff_vp9_words words{};
        for (size_t superblock = 0; superblock < content_.superblocks.size(); superblock++) {
            if (!v3doff_vp9_has_room(&words))
                check(v3doff_vp9_make_room(picture, 0, &words), "room for words");
            append_made(content_, superblock, words);
        }
        check(v3doff_vp9_end_lane(picture, 0, &words), "ending a lane");
        v3doff_vp9_picture_info info{};
        info.struct_size = sizeof info;
        info.reference[0] = reference();
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

    size_t word_bytes() const override {
        return 4 * (content_.coefficients.size() + 3 * content_.transforms.size() +
                    4 * content_.blocks.size());
    }

    void reconstruct_by_ffmpeg(const v3doff_planes &planes, bool simd) const override {
        vp9::reconstruct_by_ffmpeg(content_, *ffdsp_vp9(8, simd), view_of(content_.format, planes),
                                   view_of(content_.format, planes_of(reference())));
        vp9_filter_by_ffmpeg(planes, content_.filter, simd);
    }

  private:
    MadePicture content_;
};

void time_vp9_whole(const Session &session, Json &results) {
    // Only whole 8x8 blocks: at blocks that cross the border, decoders use other functions.
    const auto whole_blocks = [](uint32_t size) { return (size + 7) / 8 * 8; };
    for (uint32_t height : session.heights) {
        const v3doff::PictureFormat format{whole_blocks(width_of(height)), whole_blocks(height), 8,
                                           V3DOFF_CHROMA_420};
        results.push_back(
            run_whole(session, "VP9", std::make_shared<WholeVp9Picture>(MadePicture(format))));
        results.push_back(
            run_whole(session, "VP9 intra",
                      std::make_shared<WholeVp9Picture>(MadePicture::of_intra(format))));
    }
}

} // namespace

void add_vp9_whole(Families &families) {
    families.push_back(
        {"vp9_whole", "whole pictures of several sizes, reconstructed from words", time_vp9_whole});
}

} // namespace tool::bench
