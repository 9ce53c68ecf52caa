// SPDX-License-Identifier: BSD-2-Clause
// H.264 inter prediction: pictures of macroblocks, in one submit each.
#include <fmt/format.h>

#include "h264_inter_case.hpp"

namespace tool {
namespace {

class H264InterSuite final : public Suite {
  public:
    H264InterSuite(std::string name, const H264InterMix &mix, unsigned cases)
        : name_(std::move(name)), mix_(mix), cases_(cases) {}

    std::string name() const override { return name_; }
    std::string summary() const override {
        return "all positions of luma and chroma, in and far outside of up to 16 references; "
               "FFmpeg "
               "by its qpel, chroma and weight functions";
    }
    unsigned cases() const override { return cases_; }
    bool has(Implementation implementation) const override {
#ifdef V3DOFF_HAVE_FFDSP
        return implementation != Implementation::ffmpeg || !mix_.weighs() || simd_weighs();
#else
        return implementation == Implementation::reference ||
               implementation == Implementation::vulkan;
#endif
    }
    std::unique_ptr<Case> make_case(Random &random) const override {
        return std::make_unique<H264InterCase>(mix_, random);
    }

  private:
    // At 10 bits FFmpeg's SIMD on x86 loses half a unit with negative weights, and results above
    // 32767 become 0.
    bool simd_weighs() const {
        return !mix_.extreme_weights && mix_.bit_depth != 10;
    }

    std::string name_;
    H264InterMix mix_;
    unsigned cases_;
};

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
                suites.push_back(std::make_unique<H264InterSuite>(
                    fmt::format("h264_inter_{}_{}_{}bit", kind.name, largest, bit_depth),
                    H264InterMix{bit_depth, kind.kind, largest, false}, 4));
        suites.push_back(std::make_unique<H264InterSuite>(
            fmt::format("h264_inter_mixed_{}bit", bit_depth),
            H264InterMix{bit_depth, H264InterKind::any, 0, false}, 10));
        suites.push_back(std::make_unique<H264InterSuite>(
            fmt::format("h264_inter_weights_{}bit", bit_depth),
            H264InterMix{bit_depth, H264InterKind::any, 0, true}, 10));
    }
}

} // namespace tool
