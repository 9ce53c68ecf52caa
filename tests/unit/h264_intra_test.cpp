// SPDX-License-Identifier: BSD-2-Clause
// Macroblocks of random pictures, intra ones and residuals of others: on a device, in plain C++ and
// by FFmpeg's functions, bit for bit. And the order in which intra macroblocks are done.
#include <algorithm>
#include <cstring>
#include <map>

#include <gtest/gtest.h>

#include "api/debug_keys.hpp"
#include "api/handles.hpp"
#include "api_handles.hpp"
#include "ffdsp.h"
#include "generators/h264_intra.hpp"
#include "generators/h264_intra_ffmpeg.hpp"
#include "h264/intra/intra.hpp"
#include "h264/residual/pack.hpp"
#include "util/error.hpp"
#include "v3doff/v3doff.h"
#include "variable.hpp"

namespace v3doff {
namespace {

using check::H264IntraMix;
using check::H264IntraPicture;
using check::H264Random;

// A whole picture without words: macroblocks with residuals and intra ones.
class Whole final : public Stage {
  public:
    void record(const H264IntraPicture &from) {
        clear();
        format_ = from.format();
        coefficients_.add(from.coefficients());
        residuals_.begin(format_, coefficients_);
        for (const auto &inter : from.inter())
            residuals_.append(inter.x, inter.y, inter.residual);
        intra_.begin(format_, from.mb_width(), from.mb_height(), coefficients_);
        // Whatever the order.
        for (size_t part = 0; part < 2; part++)
            for (size_t i = 1 - part; i < from.intra().size(); i += 2)
                intra_.append(from.intra()[i].macroblock, from.intra()[i].residual);
        recorded_ = true;
    }

    uint64_t records() const override { return recorded_; }
    void clear() override {
        recorded_ = false;
        coefficients_.clear();
    }
    void plan(const SampleMap &map, Plan &plan) override {
        for (unsigned p = 0; p < format_.planes(); p++)
            plan.rows[p].add(0, (format_.height + 15) / 16 * 16 >> format_.shift_y(p));
        coefficients_.append_to(plan.arena);
        h264::MacroblockBatch::plan_records(residuals_, intra_.residuals(), plan);
        if (residuals_.size())
            h264::plan_residuals(residuals_, format_, h264::residual_dispatch(map), plan);
        if (intra_.size()) intra_.plan(map, plan);
    }
    void run_cpu(const PictureView &picture) override {
        residuals_.run_cpu(picture);
        intra_.run_cpu(picture);
    }

  private:
    bool recorded_ = false;
    PictureFormat format_;
    LaneCoefficients coefficients_;
    h264::MacroblockBatch residuals_;
    h264::Intra intra_;
};

// A picture in a device's memory, with random samples everywhere.
class Canvas {
  public:
    Canvas(v3doff_device *device, const PictureFormat &format, uint64_t seed) {
        pool_ = open_pool(device, format);
        picture_ = open_picture(pool_);
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
        picture().stage<Whole>(Slot::reconstruction).record(from);
    }

    void run(v3doff_executor expected) { expect_done_by(expected, picture_.get()); }

  private:
    OwnedPool pool_;
    OwnedPicture picture_;
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

class H264Macroblocks : public testing::TestWithParam<std::tuple<unsigned, v3doff_chroma>> {};

TEST_P(H264Macroblocks, AreTheSameEverywhere) {
    H264IntraMix mix;
    std::tie(mix.bit_depth, mix.chroma) = GetParam();
    mix.others = true;
    const OwnedDevice cpu = open_handle(V3DOFF_MODE_CPU), gpu = open_handle(V3DOFF_MODE_FORCE);
    for (unsigned seed = 0; seed < 6; seed++) {
        H264Random random(seed);
        const H264IntraPicture from(mix, random);
        Canvas reference(cpu.get(), from.format(), seed);
        reference.record(from);
        reference.run(V3DOFF_EXECUTOR_CPU);
        const auto expected = reference.samples();
        Canvas ffmpeg(cpu.get(), from.format(), seed);
        const bool done = reconstruct_in_ffmpeg(from, ffmpeg.picture().view(), true);
        ASSERT_EQ(done, ffdsp_version() != nullptr);
        if (done) {
            ASSERT_EQ(first_difference(ffmpeg, expected, ffmpeg.samples()), "") << seed;
        }
        if (!gpu) continue;
        Canvas device(gpu.get(), from.format(), seed);
        device.record(from);
        device.run(V3DOFF_EXECUTOR_GPU);
        ASSERT_EQ(first_difference(device, expected, device.samples()), "") << seed << " GPU";
    }
}

INSTANTIATE_TEST_SUITE_P(All, H264Macroblocks,
                         testing::Combine(testing::Values(8u, 10u),
                                          testing::Values(V3DOFF_CHROMA_400, V3DOFF_CHROMA_420,
                                                          V3DOFF_CHROMA_422, V3DOFF_CHROMA_444)));

using h264::IntraNode;
using h264::IntraOrder;

// Whatever a macroblock reads is in an earlier dispatch, or before it in the workgroup of its tile.
void expect_exact(const IntraOrder &order, const std::vector<IntraNode> &nodes) {
    std::map<std::pair<int, int>, uint32_t> at;
    for (uint32_t i = 0; i < nodes.size(); i++)
        at[{nodes[i].x, nodes[i].y}] = i;
    const std::tuple<unsigned, int, int> neighbours[] = {{h264::reads_left, -1, 0},
                                                         {h264::reads_above, 0, -1},
                                                         {h264::reads_corner, -1, -1},
                                                         {h264::reads_above_right, 1, -1}};
    for (uint32_t i = 0; i < nodes.size(); i++) {
        ASSERT_GE(order.dispatch(i), 1u);
        ASSERT_LE(order.dispatch(i), order.dispatches());
        for (const auto &[which, dx, dy] : neighbours) {
            const auto other = at.find({nodes[i].x + dx, nodes[i].y + dy});
            if (!(nodes[i].reads & which) || other == at.end()) continue;
            const uint32_t before = other->second;
            const bool inside = order.by_tiles() && order.tile(before) == order.tile(i) &&
                                order.dispatch(before) == order.dispatch(i) &&
                                order.inside(before) < order.inside(i);
            ASSERT_TRUE(inside || order.dispatch(before) < order.dispatch(i)) << i;
        }
    }
}

TEST(H264IntraOrder, IsExactByLevelsAndByTiles) {
    for (const char *setting : {"h264_intra=levels", "h264_intra=tiles"}) {
        const DebugSetting asked(setting);
        for (unsigned seed = 0; seed < 50; seed++) {
            H264Random random(seed);
            H264IntraMix mix;
            mix.largest = 60;
            const H264IntraPicture from(mix, random);
            std::vector<IntraNode> nodes;
            for (const auto &intra : from.intra())
                nodes.push_back({intra.macroblock.x, intra.macroblock.y,
                                 h264::intra_macroblock_reads(intra.macroblock, true)});
            std::reverse(nodes.begin(), nodes.end());
            IntraOrder order;
            order.build(from.mb_width(), from.mb_height(), nodes);
            expect_exact(order, nodes);
        }
    }
}

// Macroblocks of an MBAFF frame, all of them intra, of random pairs.
std::vector<IntraNode> random_pairs(uint16_t width, uint16_t height, H264Random &random) {
    std::vector<IntraNode> nodes;
    for (uint16_t k = 0; k < height; k += 2)
        for (uint16_t x = 0; x < width; x++) {
            const bool field = random.one_in(2);
            for (uint16_t lower = 0; lower < 2; lower++) {
                unsigned reads = random.below(16);
                const bool above = k || (lower && !field);
                if (!x) reads &= ~unsigned(h264::reads_left | h264::reads_corner);
                if (!above) reads &= unsigned(h264::reads_left);
                if (x + 1 == width || (lower && !field))
                    reads &= ~unsigned(h264::reads_above_right);
                nodes.push_back({x, uint16_t(k + lower), uint8_t(reads), field});
            }
        }
    return nodes;
}

// By the macroblocks that have the lines beside those of a macroblock, and above its first one.
void expect_exact_pairs(const IntraOrder &order, const std::vector<IntraNode> &nodes) {
    std::map<std::pair<int, int>, uint32_t> at; // by column and line
    const auto line = [&](const IntraNode &node, int i) {
        return node.field ? node.y / 2 * 32 + node.y % 2 + 2 * i : node.y * 16 + i;
    };
    for (uint32_t i = 0; i < nodes.size(); i++)
        for (int y = 0; y < 16; y++)
            at[{nodes[i].x, line(nodes[i], y)}] = i;
    for (uint32_t i = 0; i < nodes.size(); i++) {
        const auto after = [&](int x, int y) {
            const uint32_t before = at.at({x, y});
            const bool inside = order.by_tiles() && order.tile(before) == order.tile(i) &&
                                order.dispatch(before) == order.dispatch(i) &&
                                order.inside(before) < order.inside(i);
            ASSERT_TRUE(inside || order.dispatch(before) < order.dispatch(i)) << i;
        };
        const IntraNode &node = nodes[i];
        for (int y = 0; y < 16 && node.reads & h264::reads_left; y++)
            after(node.x - 1, line(node, y));
        const int above = line(node, 0) - (node.field ? 2 : 1);
        if (node.reads & h264::reads_above) after(node.x, above);
        if (node.reads & h264::reads_corner) after(node.x - 1, above);
        if (node.reads & h264::reads_above_right) after(node.x + 1, above);
    }
}

TEST(H264IntraOrder, IsExactInMbaffFrames) {
    for (const char *setting : {"h264_intra=levels", "h264_intra=tiles"}) {
        const DebugSetting asked(setting);
        for (unsigned seed = 0; seed < 50; seed++) {
            H264Random random(seed);
            const auto width = uint16_t(1 + random.below(40)),
                       height = uint16_t(2 + random.below(20) * 2);
            std::vector<IntraNode> nodes = random_pairs(width, height, random);
            std::reverse(nodes.begin(), nodes.end());
            IntraOrder order;
            order.build(width, height, nodes, true);
            expect_exact_pairs(order, nodes);
            for (size_t i = 1; i < nodes.size(); i++)
                ASSERT_EQ(order.raster()[i], nodes.size() - 1 - i) << "pair by pair";
        }
    }
}

// A record has 28 bits for the place of a block's residuals in scratch memory.
TEST(H264Intra, ResidualsOfTheLargestPicturesAreNotForTheGpu) {
    const size_t macroblocks = 1024 * 1024, limit = size_t(1) << 28;
    const h264::MacroblockScratch small({16384, 16384, 8, V3DOFF_CHROMA_422}),
        large({16384, 16384, 8, V3DOFF_CHROMA_444});
    EXPECT_EQ(small.words_of(macroblocks), limit);
    EXPECT_LE(large.words_of(limit / 384), limit);
    EXPECT_THROW((void)large.words_of(limit / 384 + 1), Error);
    EXPECT_THROW((void)large.words_of(macroblocks), Error);
}

TEST(H264IntraOrder, NothingIsLeftOfThePictureBefore) {
    IntraOrder order;
    order.build(2, 1, std::vector<IntraNode>{{0, 0, 0}, {1, 0, h264::reads_left}});
    EXPECT_EQ(order.raster().size(), 2u);
    order.build(2, 1, {});
    EXPECT_TRUE(order.raster().empty());
    EXPECT_EQ(order.dispatches(), 0u);
}

TEST(H264IntraOrder, TakesTilesWhereChainsAreLong) {
    std::vector<IntraNode> nodes;
    for (uint16_t y = 0; y < 68; y++)
        for (uint16_t x = 0; x < 120; x++)
            nodes.push_back(
                {x, y,
                 uint8_t((x ? h264::reads_left : 0) | (y && x < 119 ? h264::reads_above_right : 0) |
                         (y ? h264::reads_above : 0))});
    IntraOrder order;
    order.build(120, 68, nodes);
    EXPECT_TRUE(order.by_tiles());
    EXPECT_EQ(order.dispatches(), 24u);
    // Looked up here, so that the keys are linked in.
    ASSERT_NE(debug::find_key("h264_intra"), nullptr);
    const DebugSetting asked("h264_intra=levels");
    order.build(120, 68, nodes);
    EXPECT_EQ(order.dispatches(), 254u);
    const DebugSetting cheaper("h264_intra=cheaper");
    for (IntraNode &node : nodes)
        node.reads = node.x % 2 ? h264::reads_left : 0;
    order.build(120, 68, nodes);
    EXPECT_FALSE(order.by_tiles());
    EXPECT_EQ(order.dispatches(), 2u);
}

} // namespace
} // namespace v3doff
