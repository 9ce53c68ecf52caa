// SPDX-License-Identifier: BSD-2-Clause
// Intra macroblocks and residuals of random pictures: on a device, in plain C++ and by FFmpeg's
// functions, bit for bit.
#include <cstring>

#include <gtest/gtest.h>

#include "api/handles.hpp"
#include "generators/h264_intra.hpp"
#include "h264/intra.hpp"
#include "h264/residual.hpp"
#include "v3doff/v3doff.h"

#ifdef V3DOFF_HAVE_FFDSP
#include "generators/h264_intra_ffmpeg.hpp"
#endif

namespace v3doff {
namespace {

using check::H264IntraMix;
using check::H264IntraPicture;
using check::H264Random;

struct Close {
    void operator()(v3doff_device *handle) const { v3doff_device_destroy(&handle); }
    void operator()(v3doff_pool *handle) const { v3doff_pool_destroy(&handle); }
    void operator()(v3doff_picture *handle) const { v3doff_picture_close(&handle); }
};
using OwnedDevice = std::unique_ptr<v3doff_device, Close>;

OwnedDevice open(v3doff_mode mode) {
    v3doff_device_info info{};
    info.struct_size = sizeof info;
    info.mode = mode;
    v3doff_device *device = nullptr;
    v3doff_device_create(&device, &info);
    return OwnedDevice(device);
}

// A picture in a device's memory, with random samples everywhere.
class Canvas {
  public:
    Canvas(v3doff_device *device, const PictureFormat &format, uint64_t seed) {
        v3doff_pool_info info{};
        info.struct_size = sizeof info;
        info.width = format.width, info.height = format.height;
        info.bit_depth = format.bit_depth, info.chroma = format.chroma;
        v3doff_pool *pool = nullptr;
        EXPECT_EQ(v3doff_pool_create(&pool, device, &info), V3DOFF_OK);
        pool_.reset(pool);
        v3doff_picture *picture = nullptr;
        EXPECT_EQ(v3doff_picture_open(&picture, pool, nullptr), V3DOFF_OK);
        picture_.reset(picture);
        H264Random random(seed);
        const unsigned style = random.below(4);
        each_row([&](std::byte *row, size_t samples) {
            for (size_t i = 0; i < samples; i++) {
                const uint32_t most = (1u << format.bit_depth) - 1;
                const uint32_t value = style == 0   ? random.below(2) * most
                                       : style == 1 ? random.below(most / 8 + 1)
                                                    : random.below(most + 1);
                std::memcpy(row + i * format.sample_bytes(), &value, format.sample_bytes());
            }
        });
    }

    Picture &picture() { return *api::resolve(picture_.get(), "picture"); }

    template <typename Visit>
    void each_row(Visit visit) {
        const PictureView &view = picture().view();
        for (unsigned p = 0; p < view.format.planes(); p++)
            for (uint32_t y = 0; y < view.plane[p].padded_height; y++)
                visit(view.plane[p].data + ptrdiff_t(y) * view.plane[p].stride,
                      size_t(view.plane[p].padded_width));
    }

    std::vector<std::byte> samples() {
        std::vector<std::byte> all;
        each_row([&](std::byte *row, size_t samples) {
            all.insert(all.end(), row, row + samples * picture().format().sample_bytes());
        });
        return all;
    }

    void record(const H264IntraPicture &from) {
        Picture::LaneGuard guard(picture(), 0);
        auto &residual = picture().stage<h264::Residual>(Slot::transform);
        for (const auto &inter : from.inter())
            residual.append_macroblock(0, picture().view(), inter.x, inter.y, inter.residual);
        auto &intra = picture().stage<h264::Intra>(Slot::intra);
        intra.begin(from.format(), from.mb_width(), from.mb_height());
        // Whatever the order.
        for (size_t part = 0; part < 2; part++)
            for (size_t i = 1 - part; i < from.intra().size(); i += 2)
                intra.append(from.intra()[i].macroblock, from.intra()[i].residual);
    }

    void run(v3doff_executor expected) {
        ASSERT_EQ(v3doff_picture_submit(picture_.get(), nullptr), V3DOFF_OK);
        ASSERT_EQ(v3doff_picture_wait(picture_.get(), UINT64_MAX), V3DOFF_OK);
        v3doff_picture_report report{};
        report.struct_size = sizeof report;
        ASSERT_EQ(v3doff_picture_get_report(picture_.get(), &report), V3DOFF_OK);
        ASSERT_EQ(report.executor, expected) << report.reason;
    }

  private:
    std::unique_ptr<v3doff_pool, Close> pool_;
    std::unique_ptr<v3doff_picture, Close> picture_;
};

std::string first_difference(Canvas &canvas, const std::vector<std::byte> &a,
                             const std::vector<std::byte> &b) {
    const PictureView &view = canvas.picture().view();
    size_t at = 0;
    while (at < a.size() && a[at] == b[at])
        at++;
    if (at == a.size()) return "";
    for (unsigned p = 0; p < view.format.planes(); p++) {
        const size_t row = view.plane[p].padded_width * view.format.sample_bytes();
        const size_t plane = row * view.plane[p].padded_height;
        if (at < plane)
            return "plane " + std::to_string(p) + " x " +
                   std::to_string(at % row / view.format.sample_bytes()) + " y " +
                   std::to_string(at / row);
        at -= plane;
    }
    return "nowhere";
}

class H264Intra : public testing::TestWithParam<std::tuple<unsigned, v3doff_chroma>> {};

TEST_P(H264Intra, IsTheSameEverywhere) {
    H264IntraMix mix;
    std::tie(mix.bit_depth, mix.chroma) = GetParam();
    const OwnedDevice cpu = open(V3DOFF_MODE_CPU), gpu = open(V3DOFF_MODE_FORCE);
    const char *const most = std::getenv("CASES");
    for (unsigned seed = 0; seed < (most ? unsigned(atoi(most)) : 15); seed++) {
        H264Random random(seed);
        const unsigned kinds = seed % 6;
        mix.kinds = kinds < 4 ? 1u << kinds : 15;
        mix.residuals = seed % 3 != 0;
        mix.largest = seed % 5 == 4 ? 40 : 12;
        const H264IntraPicture from(mix, random);
        const std::string what = "seed " + std::to_string(seed) + " " +
                                 std::to_string(from.mb_width()) + "x" +
                                 std::to_string(from.mb_height());
        Canvas reference(cpu.get(), from.format(), seed);
        reference.record(from);
        reference.run(V3DOFF_EXECUTOR_CPU);
        const auto expected = reference.samples();
#ifdef V3DOFF_HAVE_FFDSP
        for (bool simd : {false, true}) {
            Canvas ffmpeg(cpu.get(), from.format(), seed);
            if (!reconstruct_in_ffmpeg(from, ffmpeg.picture().view(), simd)) continue;
            ASSERT_EQ(first_difference(ffmpeg, expected, ffmpeg.samples()), "")
                << what << " FFmpeg " << simd;
        }
#endif
        if (!gpu) continue;
        Canvas device(gpu.get(), from.format(), seed);
        device.record(from);
        device.run(V3DOFF_EXECUTOR_GPU);
        ASSERT_EQ(first_difference(device, expected, device.samples()), "") << what << " GPU";
    }
}

INSTANTIATE_TEST_SUITE_P(All, H264Intra,
                         testing::Combine(testing::Values(8u, 9u, 10u, 14u),
                                          testing::Values(V3DOFF_CHROMA_400, V3DOFF_CHROMA_420,
                                                          V3DOFF_CHROMA_422, V3DOFF_CHROMA_444)));

} // namespace
} // namespace v3doff
