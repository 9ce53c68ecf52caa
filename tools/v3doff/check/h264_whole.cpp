// SPDX-License-Identifier: BSD-2-Clause
// Whole H.264 pictures from random words.
#include <fmt/format.h>

#include "generators/random_h264_words.h"
#include "whole_case.hpp"

namespace tool {
namespace {

struct FreePicture {
    void operator()(random_h264_picture *picture) const { free_random_h264_picture(&picture); }
};
using Words = std::unique_ptr<random_h264_picture, FreePicture>;

// An even number of rows of macroblocks, as in all sequences that may have fields, because fields
// are predicted from frames.
PictureShape any_shape(unsigned bit_depth, Random &random) {
    PictureShape shape = random_shape(random, bit_depth, 200);
    if (shape.chroma == V3DOFF_CHROMA_440) shape.chroma = V3DOFF_CHROMA_420;
    if ((shape.height + 15) / 16 % 2) shape.height += 16;
    return shape;
}

class H264WholeCase final : public WholeCase {
  public:
    H264WholeCase(unsigned bit_depth, Random &random)
        : WholeCase({any_shape(bit_depth, random)}), lanes_(uint32_t(1 + below(random, 3))) {
        for (unsigned i = 0; i < chain_length; i++) {
            seed_[i] = unsigned(random());
            deblocked_[i] = below(random, 2);
            structure_[i] = Structure(below(random, 3));
            bottom_first_[i] = below(random, 2);
            waits_[i] = below(random, 2);
        }
    }

  private:
    enum class Structure { frame, mbaff_frame, fields };

    void record(const Chain &chain, unsigned i) const override {
        if (structure_[i] != Structure::fields) return record(chain, i, V3DOFF_H264_FRAME, false);
        const v3doff_h264_structure fields[] = {V3DOFF_H264_TOP_FIELD, V3DOFF_H264_BOTTOM_FIELD};
        v3doff_picture *picture = chain[i].get();
        record(chain, i, fields[bottom_first_[i]], false);
        check(v3doff_picture_submit(picture, nullptr), "submitting a field");
        if (waits_[i]) check(v3doff_picture_wait(picture, UINT64_MAX), "waiting for a field");
        check(v3doff_picture_reopen(picture), "opening a picture for its second field");
        record(chain, i, fields[!bottom_first_[i]], true);
    }

    // Slices in turn go into one lane after the other.
    void record(const Chain &chain, unsigned i, v3doff_h264_structure structure,
                bool is_second) const {
        v3doff_picture *picture = chain[i].get();
        const PictureShape &shape = shape_of(i);
        const random_h264_words what{
            shape.width,     shape.height, shape.chroma,
            shape.bit_depth, int(i),       seed_[i] + is_second,
            structure,       is_second,    structure_[i] == Structure::mbaff_frame};
        const Words words(make_random_h264_picture(&what));
        if (!words) throw std::bad_alloc();
        for (uint32_t lane = 0; lane < lanes_; lane++)
            check(append_random_h264_slices(picture, lane, words.get(), lane, lanes_),
                  "appending words");
        for (unsigned k = 0; k < i; k++)
            words->info.reference[k] = chain[i - 1 - k].get();
        if (is_second) words->info.reference[i] = picture;
        if (!deblocked_[i]) words->arrays.flags |= V3DOFF_H264_ARRAYS_UNFILTERED;
        check(v3doff_h264_record_rows(picture, structure, &words->arrays, 0, V3DOFF_H264_ALL_ROWS),
              "handing over macroblocks");
        check(v3doff_h264_record_picture(picture, &words->info), "recording words");
    }

    uint32_t lanes_;
    unsigned seed_[chain_length];
    Structure structure_[chain_length];
    bool deblocked_[chain_length], bottom_first_[chain_length], waits_[chain_length];
};

} // namespace

void add_h264_whole(Suites &suites) {
    for (unsigned bit_depth : {8u, 9u, 10u, 14u})
        suites.push_back({fmt::format("h264_whole_{}bit", bit_depth),
                          "four frames, also of MBAFF, or pairs of fields from words, predicted "
                          "from each other, "
                          "deblocked",
                          8, Ffmpeg::none, [=](Random &random) {
                              return std::make_unique<H264WholeCase>(bit_depth, random);
                          }});
}

} // namespace tool
