// SPDX-License-Identifier: BSD-2-Clause
// Whole VP9 pictures from random words, each predicted from those before it: the plain
// reconstruction beside the device's.
#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

#include "generators/random_words.h"
#include "picture_case.hpp"

namespace tool {
namespace {

constexpr unsigned pictures = 4;

class WholeCase final : public Case {
  public:
    WholeCase(unsigned bit_depth, Random &random) {
        shape_[0] = random_shape(random, bit_depth, 200);
        shape_[0].chroma = v3doff_chroma(1 + below(random, 4)); // VP9 has no monochrome
        shape_[1] = shape_[0];
        if (below(random, 2)) { // at most twice as large as each other
            shape_[1].width = other_size(shape_[0].width, random);
            shape_[1].height = other_size(shape_[0].height, random);
        }
        const bool lossless = below(random, 6) == 0;
        for (unsigned i = 0; i < pictures; i++) {
            what_[i] = {shape_of(i).width,    shape_of(i).height,           shape_of(i).chroma,
                        int(std::min(i, 3u)), lossless && below(random, 2), unsigned(random())};
            filtered_[i] = below(random, 2);
        }
    }

    Result run(Implementation implementation, Bench &bench) const override {
        const bool gpu = implementation == Implementation::vulkan;
        v3doff_device *device = gpu ? bench.vulkan.get() : bench.cpu.get();
        std::array<Pool, 2> pools;
        for (unsigned i = 0; i < 2; i++)
            pools[i] = make_pool(device, shape_[i].width, shape_[i].height, shape_[i].bit_depth,
                                 shape_[i].chroma);
        std::array<Picture, pictures> made;
        for (unsigned i = 0; i < pictures; i++) { // none is waited for
            made[i] = open_picture(pools[i % 2].get());
            record(made, i);
            check(v3doff_picture_submit(made[i].get(), nullptr), "submitting a picture");
        }
        Result result;
        for (unsigned i = 0; i < pictures; i++) {
            check(v3doff_picture_wait(made[i].get(), UINT64_MAX), "waiting for a picture");
            v3doff_picture_report report{};
            report.struct_size = sizeof report;
            check(v3doff_picture_get_report(made[i].get(), &report), "the report");
            if (report.executor != (gpu ? V3DOFF_EXECUTOR_GPU : V3DOFF_EXECUTOR_CPU))
                throw std::runtime_error(fmt::format("picture {}: {}", i, report.reason));
            for (unsigned p = 0; p < shape_of(i).planes(); p++)
                result[region(i, p)] = samples(made[i].get(), shape_of(i), p);
        }
        return result;
    }

    std::string describe(const std::string &region, size_t byte) const override {
        for (unsigned i = 0; i < pictures; i++)
            for (unsigned p = 0; p < shape_of(i).planes(); p++) {
                if (region != this->region(i, p)) continue;
                const PictureShape &shape = shape_of(i);
                const size_t at = byte / shape.sample_bytes(), width = shape.plane_width(p);
                return fmt::format("{} of {}x{} ({} bit, chroma {}), sample x={} y={}", region,
                                   shape.width, shape.height, shape.bit_depth, int(shape.chroma),
                                   at % width, at / width);
            }
        return region;
    }

  private:
    static uint32_t other_size(uint32_t size, Random &random) {
        return uint32_t(between(random, (size + 1) / 2, 2 * size));
    }
    static std::string region(unsigned picture, unsigned plane) {
        return fmt::format("picture {}, plane {}", picture, plane);
    }
    const PictureShape &shape_of(unsigned picture) const { return shape_[picture % 2]; }

    // One lane for each column of superblocks, each a tile.
    void record(const std::array<Picture, pictures> &made, unsigned i) const {
        v3doff_picture *picture = made[i].get();
        const random_words &what = what_[i];
        for (uint32_t column = 0; column * 64 < what.width; column++)
            check(append_random_words(picture, column, &what, column, column + 1),
                  "appending words");
        v3doff_vp9_picture_info info = random_words_info(&what);
        for (int k = 0; k < what.references; k++)
            info.reference[k] = made[i - 1 - unsigned(k)].get();
        check(v3doff_vp9_record_picture(picture, &info), "recording words");
        if (filtered_[i]) filter(picture, what);
    }

    // Every edge between 8x8 luma blocks of the superblocks that are whole.
    static void filter(v3doff_picture *picture, const random_words &what) {
        const uint32_t cols = (what.width + 63) / 64, rows = (what.height + 63) / 64;
        std::vector<v3doff_vp9_superblock> superblocks(size_t(cols) * rows);
        for (uint32_t row = 0; row < what.height / 64; row++)
            for (uint32_t col = 0; col < what.width / 64; col++) {
                auto &superblock = superblocks[size_t(row) * cols + col];
                std::fill(std::begin(superblock.level), std::end(superblock.level), uint8_t(24));
                for (auto &direction : superblock.mask[0])
                    for (auto &line : direction)
                        line[1] = 0xff;
            }
        check(v3doff_vp9_record_loopfilter(picture, what.seed % 8, superblocks.data(),
                                           superblocks.size()),
              "recording the loop filter");
    }

    static std::vector<uint8_t> samples(v3doff_picture *picture, const PictureShape &shape,
                                        unsigned plane) {
        const v3doff_planes planes = planes_of(picture);
        const size_t bytes = size_t(shape.plane_width(plane)) * shape.sample_bytes();
        std::vector<uint8_t> all;
        for (uint32_t y = 0; y < shape.plane_height(plane); y++) {
            const auto *row =
                static_cast<const uint8_t *>(planes.data[plane]) + y * planes.stride[plane];
            all.insert(all.end(), row, row + bytes);
        }
        return all;
    }

    PictureShape shape_[2]; // of every second picture
    random_words what_[pictures];
    bool filtered_[pictures];
};

class WholeSuite final : public Suite {
  public:
    explicit WholeSuite(unsigned bit_depth) : bit_depth_(bit_depth) {}
    std::string name() const override { return fmt::format("vp9_whole_{}bit", bit_depth_); }
    std::string summary() const override {
        return "four pictures from words, predicted from each other, filtered";
    }
    unsigned cases() const override { return 8; }
    bool has(Implementation implementation) const override {
        return implementation == Implementation::reference ||
               implementation == Implementation::vulkan;
    }
    std::unique_ptr<Case> make_case(Random &random) const override {
        return std::make_unique<WholeCase>(bit_depth_, random);
    }

  private:
    unsigned bit_depth_;
};

} // namespace

void add_vp9_whole(Suites &suites) {
    for (unsigned bit_depth : {8u, 10u, 12u})
        suites.push_back(std::make_unique<WholeSuite>(bit_depth));
}

} // namespace tool
