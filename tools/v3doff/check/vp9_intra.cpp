// SPDX-License-Identifier: BSD-2-Clause
// VP9 intra prediction with residuals: pictures of intra blocks, in one submit each.
#include <fmt/format.h>

#include "vp9_intra_case.hpp"

namespace tool {
namespace {

Suite intra_suite(std::string name, const IntraMix &mix, unsigned cases) {
    return {std::move(name),
            mix.tx ? "all modes, edges of pictures and tiles, residuals on top"
                   : "all sizes in one picture, lossless too",
            cases, Ffmpeg::c_and_simd,
            [mix](Random &random) { return std::make_unique<IntraCase>(mix, random); }};
}

} // namespace

void add_vp9_intra(Suites &suites) {
    for (unsigned bit_depth : {8u, 10u, 12u}) {
        for (uint32_t tx = 0; tx < 4; tx++)
            suites.push_back(intra_suite(
                fmt::format("vp9_intra_{0}x{0}_{1}bit", 4u << tx, bit_depth), {bit_depth, tx}, 6));
        suites.push_back(
            intra_suite(fmt::format("vp9_intra_mixed_{}bit", bit_depth), {bit_depth, {}}, 10));
    }
}

} // namespace tool
