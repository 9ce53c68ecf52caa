// SPDX-License-Identifier: BSD-2-Clause
// Whole H.264 pictures from random words, each predicted from those before it: the plain
// reconstruction beside the device's.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "generators/random_h264_words.h"
#include "picture_case.hpp"

namespace tool {
namespace {

constexpr unsigned chain_length = 4;

struct FreePicture {
    void operator()(random_h264_picture *picture) const { free_random_h264_picture(&picture); }
};
using Words = std::unique_ptr<random_h264_picture, FreePicture>;

class H264WholeCase final : public Case {
  public:
    H264WholeCase(unsigned bit_depth, Random &random)
        : shape_(random_shape(random, bit_depth, 200)) {
        if (shape_.chroma == V3DOFF_CHROMA_440) shape_.chroma = V3DOFF_CHROMA_420;
        lanes_ = 1 + below(random, 3);
        for (unsigned i = 0; i < chain_length; i++) {
            seed_[i] = unsigned(random());
            deblocked_[i] = below(random, 2);
        }
    }

    Result run(Implementation implementation, Bench &bench) const override {
        const bool gpu = implementation == Implementation::vulkan;
        const Pool pool = make_pool(gpu ? bench.vulkan.get() : bench.cpu.get(), shape_.width,
                                    shape_.height, shape_.bit_depth, shape_.chroma);
        std::array<Picture, chain_length> made;
        for (unsigned i = 0; i < chain_length; i++) { // none is waited for
            made[i] = open_picture(pool.get());
            record(made, i);
            check(v3doff_picture_submit(made[i].get(), nullptr), "submitting a picture");
        }
        Result result;
        for (unsigned i = 0; i < chain_length; i++) {
            check(v3doff_picture_wait(made[i].get(), UINT64_MAX), "waiting for a picture");
            v3doff_picture_report report{};
            report.struct_size = sizeof report;
            check(v3doff_picture_get_report(made[i].get(), &report), "the report");
            if (report.executor != (gpu ? V3DOFF_EXECUTOR_GPU : V3DOFF_EXECUTOR_CPU))
                throw std::runtime_error(fmt::format("picture {}: {}", i, report.reason));
            for (unsigned p = 0; p < shape_.planes(); p++)
                result[region(i, p)] = samples(made[i].get(), p);
        }
        return result;
    }

    std::string describe(const std::string &region, size_t byte) const override {
        for (unsigned i = 0; i < chain_length; i++)
            for (unsigned p = 0; p < shape_.planes(); p++) {
                if (region != this->region(i, p)) continue;
                const size_t at = byte / shape_.sample_bytes(), width = shape_.plane_width(p);
                return fmt::format("{} of {}x{} ({} bit, chroma {}), sample x={} y={}", region,
                                   shape_.width, shape_.height, shape_.bit_depth,
                                   int(shape_.chroma), at % width, at / width);
            }
        return region;
    }

  private:
    static std::string region(unsigned picture, unsigned plane) {
        return fmt::format("picture {}, plane {}", picture, plane);
    }

    // Slices in turn go into one lane after the other.
    void record(const std::array<Picture, chain_length> &made, unsigned i) const {
        v3doff_picture *picture = made[i].get();
        const random_h264_words what{shape_.width,     shape_.height, shape_.chroma,
                                     shape_.bit_depth, int(i),        seed_[i]};
        const Words words(make_random_h264_picture(&what));
        if (!words) throw std::bad_alloc();
        for (uint32_t lane = 0; lane < lanes_; lane++)
            check(append_random_h264_slices(picture, lane, words.get(), lane, lanes_),
                  "appending words");
        for (unsigned k = 0; k < i; k++)
            words->info.reference[k] = made[i - 1 - k].get();
        check(v3doff_h264_record_picture(picture, &words->info), "recording words");
        if (deblocked_[i])
            check(v3doff_h264_record_deblock_arrays(picture, V3DOFF_H264_FRAME, &words->arrays),
                  "recording the deblocking");
    }

    std::vector<uint8_t> samples(v3doff_picture *picture, unsigned plane) const {
        const v3doff_planes planes = planes_of(picture);
        const size_t bytes = size_t(shape_.plane_width(plane)) * shape_.sample_bytes();
        std::vector<uint8_t> all;
        for (uint32_t y = 0; y < shape_.plane_height(plane); y++) {
            const auto *row = static_cast<const uint8_t *>(planes.data[plane]) +
                              ptrdiff_t(y) * planes.stride[plane];
            all.insert(all.end(), row, row + bytes);
        }
        return all;
    }

    PictureShape shape_;
    uint32_t lanes_;
    unsigned seed_[chain_length];
    bool deblocked_[chain_length];
};

class H264WholeSuite final : public Suite {
  public:
    explicit H264WholeSuite(unsigned bit_depth) : bit_depth_(bit_depth) {}
    std::string name() const override { return fmt::format("h264_whole_{}bit", bit_depth_); }
    std::string summary() const override {
        return "four pictures from words, predicted from each other, deblocked";
    }
    unsigned cases() const override { return 8; }
    bool has(Implementation implementation) const override {
        return implementation == Implementation::reference ||
               implementation == Implementation::vulkan;
    }
    std::unique_ptr<Case> make_case(Random &random) const override {
        return std::make_unique<H264WholeCase>(bit_depth_, random);
    }

  private:
    unsigned bit_depth_;
};

} // namespace

void add_h264_whole(Suites &suites) {
    for (unsigned bit_depth : {8u, 9u, 10u, 14u})
        suites.push_back(std::make_unique<H264WholeSuite>(bit_depth));
}

} // namespace tool
