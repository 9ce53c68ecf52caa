// SPDX-License-Identifier: BSD-2-Clause
// The VP9 loop filter on whole pictures: random partitions, transforms, skips, levels, in each of
// the library's orders, against raster order: the plain reference, and FFmpeg's own loop over
// superblocks.
#include <fmt/format.h>

#include "vp9_filter_case.hpp"

namespace tool {
namespace {

struct Order {
    const char *in_name, *asked_for;
};
constexpr Order orders[] = {
    {"", nullptr}, {"wave_", "wave"}, {"cuts_", "cuts"}, {"phased_", "cuts-phased"}};

struct Chroma {
    const char *name;
    v3doff_chroma chroma;
};
constexpr Chroma chromas[] = {{"420", V3DOFF_CHROMA_420},
                              {"422", V3DOFF_CHROMA_422},
                              {"440", V3DOFF_CHROMA_440},
                              {"444", V3DOFF_CHROMA_444}};

bool known(Implementation implementation) {
#ifdef V3DOFF_HAVE_FFDSP
    (void)implementation;
    return true;
#else
    return implementation == Implementation::reference || implementation == Implementation::vulkan;
#endif
}

class FormatSuite final : public Suite {
  public:
    FormatSuite(const Order &order, const Chroma &chroma, unsigned bit_depth)
        : order_(order), chroma_(chroma), bit_depth_(bit_depth) {}

    std::string name() const override {
        return fmt::format("vp9_filter_{}{}_{}bit", order_.in_name, chroma_.name, bit_depth_);
    }
    std::string summary() const override {
        return "whole pictures, random masks and levels, against raster order";
    }
    unsigned cases() const override { return 9; }
    bool has(Implementation implementation) const override { return known(implementation); }
    std::unique_ptr<Case> make_case(Random &random) const override {
        // Mostly small and odd; some that the wavefront crosses in several dispatches.
        const uint32_t largest = below(random, 6) ? 200 : 700;
        const uint32_t width = uint32_t(8 + below(random, largest));
        const uint32_t height = uint32_t(8 + below(random, largest));
        return std::make_unique<FilterCase>(PictureShape{width, height, bit_depth_, chroma_.chroma},
                                            order_.asked_for, random);
    }

  private:
    const Order &order_;
    const Chroma &chroma_;
    unsigned bit_depth_;
};

class SizeSuite final : public Suite {
  public:
    SizeSuite(const Order &order, uint32_t width, uint32_t height)
        : order_(order), width_(width), height_(height) {}

    std::string name() const override {
        return fmt::format("vp9_filter_{}{}x{}", order_.in_name, width_, height_);
    }
    std::string summary() const override { return "any format, in pictures of this size"; }
    unsigned cases() const override { return width_ > 1000 ? 1 : 6; }
    bool has(Implementation implementation) const override { return known(implementation); }
    std::unique_ptr<Case> make_case(Random &random) const override {
        const unsigned bit_depth = 8 + 2 * unsigned(below(random, 3));
        const v3doff_chroma chroma = chromas[below(random, std::size(chromas))].chroma;
        return std::make_unique<FilterCase>(PictureShape{width_, height_, bit_depth, chroma},
                                            order_.asked_for, random);
    }

  private:
    const Order &order_;
    uint32_t width_, height_;
};

class WildSuite final : public Suite {
  public:
    explicit WildSuite(const Order &order) : order_(order) {}

    std::string name() const override { return fmt::format("vp9_filter_{}wild", order_.in_name); }
    std::string summary() const override { return "any format, masks that no decoder makes"; }
    unsigned cases() const override { return 20; }
    bool has(Implementation implementation) const override {
        return implementation == Implementation::reference ||
               implementation == Implementation::vulkan;
    }
    std::unique_ptr<Case> make_case(Random &random) const override {
        const uint32_t width = uint32_t(1 + below(random, 300));
        const uint32_t height = uint32_t(1 + below(random, 300));
        const unsigned bit_depth = 8 + 2 * unsigned(below(random, 3));
        const v3doff_chroma chroma = chromas[below(random, std::size(chromas))].chroma;
        return std::make_unique<FilterCase>(PictureShape{width, height, bit_depth, chroma},
                                            order_.asked_for, random, true);
    }

  private:
    const Order &order_;
};

// All edges between columns of the picture and then all between rows: what looks right and is not.
class WrongOrderCase final : public FilterCase {
  public:
    using FilterCase::FilterCase;

    Result run(Implementation implementation, Bench &bench) const override {
        if (implementation != Implementation::vulkan) return FilterCase::run(implementation, bench);
        GuardedPicture half = picture();
        for (unsigned between_rows : {0u, 1u}) {
            Superblocks one_way = superblocks();
            for (auto &superblock : one_way)
                for (auto &set : superblock.mask)
                    for (auto &row : set[1 - between_rows])
                        for (uint8_t &marks : row)
                            marks = 0;
            half.assign(filter(half, one_way, bench.vulkan.get(), V3DOFF_EXECUTOR_GPU));
        }
        Result result;
        result["samples"] = GuardedPicture::Copy(half).bytes();
        return result;
    }
};

class WrongOrderSuite final : public Suite {
  public:
    std::string name() const override { return "self_test_vp9_filter_order"; }
    std::string summary() const override { return "wrong on purpose: every case must fail"; }
    unsigned cases() const override { return 4; }
    bool has(Implementation implementation) const override { return known(implementation); }
    bool hidden() const override { return true; }
    std::unique_ptr<Case> make_case(Random &random) const override {
        return std::make_unique<WrongOrderCase>(PictureShape{400, 300, 8, V3DOFF_CHROMA_420},
                                                nullptr, random);
    }
};

} // namespace

void add_vp9_filter(Suites &suites) {
    for (const Order &order : orders) {
        for (const Chroma &chroma : chromas)
            for (unsigned bit_depth : {8u, 10u, 12u})
                suites.push_back(std::make_unique<FormatSuite>(order, chroma, bit_depth));
        constexpr std::pair<uint32_t, uint32_t> sizes[] = {{8, 8},     {16, 8},      {63, 65},
                                                           {352, 288}, {1920, 1080}, {4096, 2176}};
        for (const auto &[width, height] : sizes)
            if (order.asked_for)
                suites.push_back(std::make_unique<SizeSuite>(order, width, height));
        suites.push_back(std::make_unique<WildSuite>(order));
    }
    suites.push_back(std::make_unique<WrongOrderSuite>());
}

} // namespace tool
