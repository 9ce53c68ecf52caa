// SPDX-License-Identifier: BSD-2-Clause
// Whole VP9 pictures from random words.
#include <algorithm>
#include <fmt/format.h>

#include "generators/random_words.h"
#include "whole_case.hpp"

namespace tool {
namespace {

uint32_t other_size(uint32_t size, Random &random) {
    return uint32_t(between(random, (size + 1) / 2, 2 * size));
}

std::vector<PictureShape> two_shapes(unsigned bit_depth, Random &random) {
    PictureShape first = random_shape(random, bit_depth, 200);
    first.chroma = v3doff_chroma(1 + below(random, 4)); // VP9 has no monochrome
    PictureShape second = first;
    if (below(random, 2)) { // at most twice as large as each other
        second.width = other_size(first.width, random);
        second.height = other_size(first.height, random);
    }
    return {first, second};
}

class Vp9WholeCase final : public WholeCase {
  public:
    Vp9WholeCase(unsigned bit_depth, Random &random) : WholeCase(two_shapes(bit_depth, random)) {
        const bool lossless = below(random, 6) == 0;
        for (unsigned i = 0; i < chain_length; i++) {
            what_[i] = {shape_of(i).width,    shape_of(i).height,           shape_of(i).chroma,
                        int(std::min(i, 3u)), lossless && below(random, 2), unsigned(random())};
            const uint32_t rows = (shape_of(i).height + 63) / 64;
            filtered_rows_[i] = uint32_t(below(random, 2) ? rows : below(random, rows));
        }
    }

  private:
    // One lane for each column of superblocks, each a tile.
    void record(const Chain &chain, unsigned i) const override {
        v3doff_picture *picture = chain[i].get();
        const random_words &what = what_[i];
        for (uint32_t column = 0; column * 64 < what.width; column++)
            check(append_random_words(picture, column, &what, column, column + 1),
                  "appending words");
        v3doff_vp9_picture_info info = random_words_info(&what);
        for (int k = 0; k < what.references; k++)
            info.reference[k] = chain[i - 1 - unsigned(k)].get();
        info.filtered_rows = filtered_rows_[i];
        check(v3doff_vp9_record_picture(picture, &info), "recording words");
    }

    random_words what_[chain_length];
    uint32_t filtered_rows_[chain_length];
};

} // namespace

void add_vp9_whole(Suites &suites) {
    for (unsigned bit_depth : {8u, 10u, 12u})
        suites.push_back(
            {fmt::format("vp9_whole_{}bit", bit_depth),
             "four pictures from words, predicted from each other, filtered", 8, Ffmpeg::none,
             [=](Random &random) { return std::make_unique<Vp9WholeCase>(bit_depth, random); }});
}

} // namespace tool
