// SPDX-License-Identifier: BSD-2-Clause
// H.264 inter prediction: pictures of macroblocks, in one submit each.
#include <fmt/format.h>

#include "h264_inter_case.hpp"

namespace tool {
namespace {

// At 10 bits FFmpeg's SIMD on x86 loses half a unit with negative weights, and results above 32767
// become 0.
bool simd_is_exact(const H264InterMix &mix) {
    return !mix.weighs() || (!mix.extreme_weights && mix.bit_depth != 10);
}

Suite inter_suite(std::string name, const H264InterMix &mix, unsigned cases) {
    return {std::move(name),
            "all positions of luma and chroma, in and far outside of up to 16 references; FFmpeg "
            "by its qpel, chroma and weight functions",
            cases, simd_is_exact(mix) ? Ffmpeg::c_and_simd : Ffmpeg::c,
            [mix](Random &random) { return std::make_unique<H264InterCase>(mix, random); }};
}

} // namespace

void add_h264_inter(Suites &suites) {
    struct Named {
        const char *name;
        H264InterKind kind;
    };
    static constexpr Named kinds[] = {{"one", H264InterKind::one},
                                      {"two", H264InterKind::two},
                                      {"one_weighted", H264InterKind::one_weighted},
                                      {"two_weighted", H264InterKind::two_weighted}};
    for (unsigned bit_depth : {8u, 9u, 10u, 12u, 14u}) {
        for (const Named &kind : kinds)
            for (uint32_t largest : {16u, 8u, 4u})
                suites.push_back(inter_suite(
                    fmt::format("h264_inter_{}_{}_{}bit", kind.name, largest, bit_depth),
                    {bit_depth, kind.kind, largest, false}, 4));
        suites.push_back(inter_suite(fmt::format("h264_inter_mixed_{}bit", bit_depth),
                                     {bit_depth, H264InterKind::any, 0, false}, 10));
        suites.push_back(inter_suite(fmt::format("h264_inter_weights_{}bit", bit_depth),
                                     {bit_depth, H264InterKind::any, 0, true}, 10));
    }
}

} // namespace tool
