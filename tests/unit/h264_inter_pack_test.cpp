// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter_pack.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

using namespace v3doff;
using namespace v3doff::h264;

namespace {

constexpr InterShaders h264_shaders = {10, 11, 12};

SampleMap map_of(v3doff_chroma chroma = V3DOFF_CHROMA_420, uint32_t bit_depth = 8) {
    SampleMap map;
    map.format = {64, 64, bit_depth, chroma};
    for (uint32_t &stride : map.stride_words)
        stride = 32;
    return map;
}

// In the middle of the picture.
InterInput block_at(uint8_t side, int16_t across, int16_t down, int8_t first, int8_t second = -1,
                    uint16_t weights = 0) {
    return {16, 16, side, side, {first, second}, weights, {{across, down}, {across, down}}};
}

uint h264_kind(const InterInput &block, uint32_t bit_depth = 8, unsigned plane = 0) {
    const InterPlane of(map_of(V3DOFF_CHROMA_420, bit_depth).format, plane);
    return inter_kind(of, of.place(block, 0), block, InterMode::put, bit_depth);
}

Plan h264_plan(const std::vector<InterInput> &blocks, const std::vector<InterWeights> &weights = {},
               const SampleMap &map = map_of()) {
    std::vector<InterSource> sources;
    for (uint32_t i = 0; i < max_references; i++)
        sources.push_back({map, i, 0});
    InterPacker packer;
    Plan plan;
    packer.begin(map, sources, weights, h264_shaders, plan);
    packer.add(blocks, plan);
    packer.finish(plan);
    return plan;
}

InterWeights weights_of(int16_t first, int16_t second) {
    InterWeights weights{};
    weights.denominator[0] = weights.denominator[1] = 5;
    for (int p = 0; p < 3; p++)
        weights.weight[0][p] = first, weights.weight[1][p] = second;
    return weights;
}

} // namespace

TEST(H264InterPack, KindFollowsTheFractions) {
    const uint kinds[4][4] = {
        {INTER_COPY, INTER_ACROSS, INTER_ACROSS, INTER_ACROSS},
        {INTER_DOWN, INTER_DIAGONAL, INTER_CENTRE, INTER_DIAGONAL},
        {INTER_DOWN, INTER_BESIDE + INTER_NARROW, INTER_CENTRE, INTER_BESIDE + INTER_NARROW},
        {INTER_DOWN, INTER_DIAGONAL, INTER_CENTRE, INTER_DIAGONAL}};
    for (int16_t y = 0; y < 4; y++)
        for (int16_t x = 0; x < 4; x++) {
            EXPECT_EQ(h264_kind(block_at(8, x, y, 0)), kinds[y][x]) << x << ", " << y;
            EXPECT_EQ(h264_kind(block_at(4, x, y, 0)), kinds[y][x] % 6 + INTER_NARROW);
            EXPECT_EQ(h264_kind(block_at(4, x, y, 0), 10), kinds[y][x]);
        }
}

// Only what is read counts: whole samples up to the edge need no clamp, the sixth tap does.
TEST(H264InterPack, OutsideIsAKindOfItsOwn) {
    const int16_t to_edge = 4 * (64 - 16 - 8);
    EXPECT_EQ(h264_kind(block_at(8, to_edge, 0, 0)), INTER_COPY);
    EXPECT_EQ(h264_kind(block_at(8, to_edge + 4, 0, 0)), INTER_ANY);
    EXPECT_EQ(h264_kind(block_at(8, to_edge - 2, 0, 0)), INTER_ANY);
    EXPECT_EQ(h264_kind(block_at(8, to_edge - 10, 0, 0)), INTER_ACROSS);
    EXPECT_EQ(h264_kind(block_at(8, -4 * 16, 0, 0)), INTER_COPY);
    EXPECT_EQ(h264_kind(block_at(8, -4 * 16 + 1, 0, 0)), INTER_ANY);
    EXPECT_EQ(h264_kind(block_at(8, to_edge, 0, 0), 8, 1), INTER_COPY + INTER_NARROW);
    EXPECT_EQ(h264_kind(block_at(8, to_edge + 1, 0, 0), 8, 1), INTER_CHROMA_ANY);
    EXPECT_EQ(h264_kind(block_at(4, 1, 0, 0), 8, 1), INTER_CHROMA_PART);
}

TEST(H264InterPack, NothingIsDispatchedForNothing) {
    const Plan plan = h264_plan({});
    EXPECT_TRUE(plan.dispatches.empty());
    EXPECT_TRUE(plan.rows[0].empty());
}

// All first predictions, then those that are combined with them; each reference a dispatch.
TEST(H264InterPack, SecondPredictionsComeBehindTheFirst) {
    const Plan plan = h264_plan({block_at(8, 0, 0, 3, 5), block_at(8, 1, 2, 5, 3)});
    ASSERT_EQ(plan.dispatches.size(), 4u);
    const uint32_t shaders[] = {10, 10, 11, 11}, references[] = {3, 5, 3, 5};
    for (size_t i = 0; i < 4; i++) {
        EXPECT_EQ(plan.dispatches[i].shader, shaders[i]);
        EXPECT_EQ(plan.dispatches[i].reference, references[i]);
        EXPECT_EQ(plan.dispatches[i].follows, i % 2 == 1);
    }
    size_t barriers = 0;
    plan.each_pass([&](const Dispatch &, bool barrier) { barriers += barrier; });
    EXPECT_EQ(barriers, 1u);
}

// Weights that give what the default gives need no shader of their own.
TEST(H264InterPack, DefaultWeightsAreTheDefault) {
    const std::vector<InterWeights> weights = {{}, weights_of(32, 32), weights_of(20, 44)};
    EXPECT_EQ(h264_plan({block_at(8, 0, 0, 0, -1, 1)}, weights).dispatches[0].shader, 10u);
    EXPECT_EQ(h264_plan({block_at(8, 0, 0, 0, 1, 1)}, weights).dispatches[1].shader, 11u);
    EXPECT_EQ(h264_plan({block_at(8, 0, 0, 0, -1, 2)}, weights).dispatches[0].shader, 12u);
    EXPECT_EQ(h264_plan({block_at(8, 0, 0, 0, 1, 2)}, weights).dispatches[1].shader, 12u);
}

TEST(H264InterPack, WorkgroupsHoldEveryRectangleOnce) {
    const std::vector<InterInput> blocks(300, block_at(16, 0, 0, 0));
    const Plan plan = h264_plan(blocks);
    ASSERT_EQ(plan.dispatches.size(), 1u);
    InterPush push;
    std::memcpy(&push, plan.dispatches[0].push.data(), sizeof push);
    uint count[3] = {};
    for (uint i = 0; i < plan.dispatches[0].groups[0]; i++) {
        const uint shape = plan.arena[push.groups + 2 * i + 1];
        EXPECT_LE((shape >> 16 & 0xff) << (shape >> 5 & 7), INTER_LANES);
        count[shape >> 24] += shape >> 16 & 0xff;
    }
    for (uint planes : count)
        EXPECT_EQ(planes, 300u);
    EXPECT_EQ(plan.rows[0].first, 16u);
    EXPECT_EQ(plan.rows[1].end, 16u);
}

// A half has a record of its own where the other one reads outside.
TEST(H264InterPack, WideRectanglesAreHalvedAtTheEdge) {
    auto luma_groups = [](int16_t across) {
        const Plan plan = h264_plan({{16, 16, 32, 16, {0, -1}, 0, {{across, 0}, {}}}});
        InterPush push;
        std::memcpy(&push, plan.dispatches[0].push.data(), sizeof push);
        std::vector<uint> kinds_and_lanes;
        for (uint i = 0; i < plan.dispatches[0].groups[0]; i++) {
            const uint shape = plan.arena[push.groups + 2 * i + 1];
            if (shape >> 24 == 0) kinds_and_lanes.push_back(shape & 0xff);
        }
        return kinds_and_lanes;
    };
    EXPECT_EQ(luma_groups(0), std::vector<uint>({INTER_COPY | 2 << 5}));
    EXPECT_EQ(luma_groups(4 * 20), std::vector<uint>({INTER_COPY | 1 << 5, INTER_ANY | 2 << 5}));
}
