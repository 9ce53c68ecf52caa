// SPDX-License-Identifier: BSD-2-Clause
// VP9 motion compensation: pictures of blocks, in one submit each.
#include <fmt/format.h>

#include "vp9_inter_case.hpp"

namespace tool {
namespace {

Suite inter_suite(std::string name, const InterMix &mix, unsigned cases) {
    return {std::move(name),
            mix.transforms ? "all sizes, filters and scales in one picture, residuals on top"
            : mix.any_height
                ? "heights from 1 to 64, against FFmpeg's C alone"
                : "pictures of blocks, all fractions, in and far outside the reference",
            cases, mix.any_height ? Ffmpeg::c : Ffmpeg::c_and_simd,
            [mix](Random &random) { return std::make_unique<InterCase>(mix, random); }};
}

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
                suites.push_back(inter_suite(
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
        suites.push_back(inter_suite(fmt::format("vp9_inter_mixed_{}bit", bit_depth), mixed, 10));
        InterMix heights;
        heights.bit_depth = bit_depth;
        heights.any_height = true;
        suites.push_back(
            inter_suite(fmt::format("vp9_inter_heights_{}bit", bit_depth), heights, 5));
    }
}

} // namespace tool
