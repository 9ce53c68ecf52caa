// SPDX-License-Identifier: BSD-2-Clause
// VP9 motion compensation: pictures of blocks, in one submit each.
#include <fmt/format.h>

#include "vp9_inter_case.hpp"

namespace tool {
namespace {

class InterSuite final : public Suite {
  public:
    InterSuite(std::string name, const InterMix &mix, unsigned cases)
        : name_(std::move(name)), mix_(mix), cases_(cases) {}

    std::string name() const override { return name_; }
    std::string summary() const override {
        return mix_.transforms ? "all sizes, filters and scales in one picture, residuals on top"
               : mix_.any_height
                   ? "heights from 1 to 64, against FFmpeg's C alone"
                   : "pictures of blocks, all fractions, in and far outside the reference";
    }
    unsigned cases() const override { return cases_; }
    bool has(Implementation implementation) const override {
        bool ffmpeg = implementation == Implementation::ffmpeg;
#ifdef V3DOFF_HAVE_FFDSP
        return !ffmpeg || !mix_.any_height;
#else
        return !ffmpeg && implementation != Implementation::ffmpeg_c;
#endif
    }
    std::unique_ptr<Case> make_case(Random &random) const override {
        return std::make_unique<InterCase>(mix_, random);
    }

  private:
    std::string name_;
    InterMix mix_;
    unsigned cases_;
};

void add_kernels(Suites &suites, unsigned bit_depth, bool scaled) {
    static const char *const filter_names[] = {"smooth", "regular", "sharp", "bilinear"};
    for (int filter = 0; filter < 4; filter++)
        for (uint32_t width : {64u, 32u, 16u, 8u, 4u})
            for (bool average : {false, true}) {
                InterMix mix;
                mix.bit_depth = bit_depth;
                mix.width = width;
                mix.filter = filter;
                mix.average = average;
                mix.scaled = scaled;
                suites.push_back(std::make_unique<InterSuite>(
                    fmt::format("vp9_inter_{}{}_{}_{}_{}bit", scaled ? "scaled_" : "",
                                average ? "avg" : "put", filter_names[filter], width, bit_depth),
                    mix, scaled ? 1 : 3));
            }
}

} // namespace

void add_vp9_inter(Suites &suites) {
    for (unsigned bit_depth : {8u, 10u, 12u}) {
        add_kernels(suites, bit_depth, false);
        add_kernels(suites, bit_depth, true);
        InterMix mixed;
        mixed.bit_depth = bit_depth;
        mixed.transforms = true;
        suites.push_back(std::make_unique<InterSuite>(
            fmt::format("vp9_inter_mixed_{}bit", bit_depth), mixed, 10));
        InterMix heights;
        heights.bit_depth = bit_depth;
        heights.any_height = true;
        suites.push_back(std::make_unique<InterSuite>(
            fmt::format("vp9_inter_heights_{}bit", bit_depth), heights, 5));
    }
}

} // namespace tool
