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

// Random: any depth and format, in this order.
PictureShape any_format(uint32_t width, uint32_t height, Random &random) {
    const unsigned bit_depth = 8 + 2 * unsigned(below(random, 3));
    return {width, height, bit_depth, chromas[below(random, std::size(chromas))].chroma};
}

Suite format_suite(const Order &order, const Chroma &chroma, unsigned bit_depth) {
    return {fmt::format("vp9_filter_{}{}_{}bit", order.in_name, chroma.name, bit_depth),
            "whole pictures, random masks and levels, against raster order", 9, Ffmpeg::c_and_simd,
            [=](Random &random) {
                // Mostly small and odd; some that the wavefront crosses in several dispatches.
                const uint32_t largest = below(random, 6) ? 200 : 700;
                const uint32_t width = uint32_t(8 + below(random, largest));
                const uint32_t height = uint32_t(8 + below(random, largest));
                return std::make_unique<FilterCase>(
                    PictureShape{width, height, bit_depth, chroma.chroma}, order.asked_for, random);
            }};
}

Suite size_suite(const Order &order, uint32_t width, uint32_t height) {
    return {fmt::format("vp9_filter_{}{}x{}", order.in_name, width, height),
            "any format, in pictures of this size", width > 1000 ? 1u : 6u, Ffmpeg::c_and_simd,
            [=](Random &random) {
                return std::make_unique<FilterCase>(any_format(width, height, random),
                                                    order.asked_for, random);
            }};
}

Suite wild_suite(const Order &order) {
    return {fmt::format("vp9_filter_{}wild", order.in_name),
            "any format, masks that no decoder makes", 20, Ffmpeg::none, [order](Random &random) {
                const uint32_t width = uint32_t(1 + below(random, 300));
                const uint32_t height = uint32_t(1 + below(random, 300));
                return std::make_unique<FilterCase>(any_format(width, height, random),
                                                    order.asked_for, random, true);
            }};
}

// All edges between columns of the picture, then all between rows: a plausible but wrong order.
class WrongOrderCase final : public FilterCase {
  public:
    using FilterCase::FilterCase;

    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override {
        if (expected != V3DOFF_EXECUTOR_GPU) return FilterCase::run_library(run, device, expected);
        for (unsigned between_rows : {0u, 1u}) {
            Superblocks one_way = superblocks();
            for (auto &superblock : one_way)
                for (auto &set : superblock.mask)
                    for (auto &row : set[1 - between_rows])
                        for (uint8_t &marks : row)
                            marks = 0;
            filter(run, one_way, device, expected);
        }
    }
};

} // namespace

void add_vp9_filter(Suites &suites) {
    for (const Order &order : orders) {
        for (const Chroma &chroma : chromas)
            for (unsigned bit_depth : {8u, 10u, 12u})
                suites.push_back(format_suite(order, chroma, bit_depth));
        constexpr std::pair<uint32_t, uint32_t> sizes[] = {{8, 8},     {16, 8},      {63, 65},
                                                           {352, 288}, {1920, 1080}, {4096, 2176}};
        for (const auto &[width, height] : sizes)
            if (order.asked_for) suites.push_back(size_suite(order, width, height));
        suites.push_back(wild_suite(order));
    }
    suites.push_back({"self_test_vp9_filter_order", "wrong on purpose: every case must fail", 4,
                      Ffmpeg::c_and_simd,
                      [](Random &random) {
                          return std::make_unique<WrongOrderCase>(
                              PictureShape{400, 300, 8, V3DOFF_CHROMA_420}, nullptr, random);
                      },
                      true});
}

} // namespace tool
