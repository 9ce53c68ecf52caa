// SPDX-License-Identifier: BSD-2-Clause
// VP9 intra prediction with residuals: pictures of intra blocks, in one submit each.
#include <fmt/format.h>

#include "vp9_intra_case.hpp"

namespace tool {
namespace {

class IntraSuite final : public Suite {
  public:
    IntraSuite(std::string name, const IntraMix &mix, unsigned cases)
        : name_(std::move(name)), mix_(mix), cases_(cases) {}
    std::string name() const override { return name_; }
    std::string summary() const override {
        return mix_.tx ? "all modes, edges of pictures and tiles, residuals on top"
                       : "all sizes in one picture, lossless too";
    }
    unsigned cases() const override { return cases_; }
    bool has(Implementation implementation) const override {
#ifdef V3DOFF_HAVE_FFDSP
        (void)implementation;
        return true;
#else
        return implementation == Implementation::reference ||
               implementation == Implementation::vulkan;
#endif
    }
    std::unique_ptr<Case> make_case(Random &random) const override {
        return std::make_unique<IntraCase>(mix_, random);
    }

  private:
    std::string name_;
    IntraMix mix_;
    unsigned cases_;
};

} // namespace

void add_vp9_intra(Suites &suites) {
    for (unsigned bit_depth : {8u, 10u, 12u}) {
        for (uint32_t tx = 0; tx < 4; tx++)
            suites.push_back(std::make_unique<IntraSuite>(
                fmt::format("vp9_intra_{0}x{0}_{1}bit", 4u << tx, bit_depth),
                IntraMix{bit_depth, tx}, 6));
        suites.push_back(std::make_unique<IntraSuite>(
            fmt::format("vp9_intra_mixed_{}bit", bit_depth), IntraMix{bit_depth, {}}, 10));
    }
}

} // namespace tool
