// SPDX-License-Identifier: BSD-2-Clause
// Motion that the GPU sorts: which pictures it can sort, and what it is told of them.
#include "h264/motion.hpp"

#include "h264_filter_strength_pair.hpp"

using namespace v3doff;
using namespace v3doff::h264;

namespace {

constexpr MotionShaders motion_shaders = {1, 2, 3};
constexpr InterShaders inter_shaders = {10, 11, 12};
constexpr uint32_t both_lists_used = mb_16x16 | 1 << 12 | 1 << 14;

// The pair as a top field that is predicted from its own bottom field, source 1, by each index.
struct MotionPair : Pair {
    MotionPair() {
        for (v3doff_h264_prediction &prediction : predictions) {
            prediction = {};
            for (auto &list : prediction.reference)
                std::fill(std::begin(list), std::end(list), uint8_t(1));
        }
    }
    void pack() { EXPECT_EQ(pack_strengths(input(), packed), nullptr); }
    bool begin_packed(Motion &motion, const StrengthInput &arrays) {
        WordsFrame frame;
        frame.lines = Lines(true, 0);
        frame.own = 0;
        frame.arrays = arrays;
        frame.predictions = predictions;
        return motion.begin(format, frame, packed);
    }
    bool begin(Motion &motion) {
        pack();
        return begin_packed(motion, input());
    }
    bool sorts() {
        Motion motion;
        return begin(motion);
    }

    PictureFormat format{32, 16};
    v3doff_h264_prediction predictions[2];
    PackedStrengths packed;
};

std::vector<InterInput> blocks_of(MotionPair &pair) {
    Motion motion;
    EXPECT_TRUE(pair.begin(motion));
    return motion.blocks();
}

} // namespace

TEST(H264Motion, BlocksAreAsLargeAsTheVectorsSay) {
    MotionPair pair;
    pair.motion[0][4][0] = 5; // the second macroblock's
    auto blocks = blocks_of(pair);
    ASSERT_EQ(blocks.size(), 2u);
    EXPECT_EQ(blocks[1].x, 16);
    EXPECT_EQ(blocks[1].width, 16);
    EXPECT_EQ(blocks[1].reference[0], 1);
    EXPECT_EQ(blocks[1].reference[1], -1);
    EXPECT_EQ(blocks[1].vector[0][0], 5);

    pair.mb_type[0] = mb_16x8 | 3 << 12;
    pair.mb_type[1] = 1; // intra
    blocks = blocks_of(pair);
    ASSERT_EQ(blocks.size(), 4u);
    EXPECT_EQ(blocks[3].x, 8);
    EXPECT_EQ(blocks[3].y, 8);
    EXPECT_EQ(blocks[3].height, 8);

    pair.mb_type[0] = 3 << 12;
    pair.motion[0][8 + 1][1] = -7; // column 1, row 1
    blocks = blocks_of(pair);
    ASSERT_EQ(blocks.size(), 16u);
    EXPECT_EQ(blocks[5].width, 4);
    EXPECT_EQ(blocks[5].vector[0][1], -7);
    EXPECT_EQ(blocks[6].vector[0][1], 0);
}

TEST(H264Motion, WeightsOfPairs) {
    MotionPair pair;
    pair.mb_type[0] = both_lists_used;
    pair.reference[1][0] = pair.reference[1][1] = pair.reference[1][2] = pair.reference[1][3] = 2;
    pair.predictions[0].weighting = V3DOFF_H264_WEIGHTS_IMPLICIT;
    std::fill_n(&pair.predictions[0].implicit[0][0], 32 * 32, int16_t(32)); // the default
    pair.predictions[0].implicit[0][2] = 40;
    Motion motion;
    ASSERT_TRUE(pair.begin(motion));
    const auto blocks = motion.blocks();
    ASSERT_EQ(blocks.size(), 2u);
    ASSERT_GT(blocks[0].weights, 0);
    EXPECT_EQ(motion.weights()[blocks[0].weights].weight[0][0], 40);
    EXPECT_EQ(motion.weights()[blocks[0].weights].weight[1][2], 24);
    EXPECT_EQ(blocks[1].weights, 0) << "implicit weights are those of two predictions";
}

TEST(H264Motion, PicturesThatNeedRectangles) {
    const auto sorts = [](auto &&spoil) {
        MotionPair pair;
        EXPECT_TRUE(pair.sorts());
        spoil(pair);
        return pair.sorts();
    };
    EXPECT_TRUE(sorts([](MotionPair &pair) { pair.slice_table[1] = 1; }));
    EXPECT_FALSE(sorts([](MotionPair &pair) { pair.slice_table[1] = no_slice; }));
    EXPECT_FALSE(
        sorts([](MotionPair &pair) { pair.slices[0].flags |= V3DOFF_H264_SLICE_SWITCHING; }));
    // A reference that is not there matters where a macroblock names it.
    EXPECT_TRUE(sorts([](MotionPair &pair) { pair.predictions[0].reference[0][1] = 255; }));
    EXPECT_FALSE(sorts([](MotionPair &pair) { pair.predictions[0].reference[0][0] = 255; }));
    EXPECT_FALSE(sorts([](MotionPair &pair) { pair.predictions[0].reference[0][0] = 0; }))
        << "a field of itself";
    // Predicted from nothing: a part, or all of it.
    EXPECT_FALSE(sorts([](MotionPair &pair) {
        pair.mb_type[1] = 3 << 12;
        pair.reference[0][4 + 2] = -1;
    }));
    EXPECT_FALSE(sorts([](MotionPair &pair) {
        pair.mb_type[1] = both_lists_used;
        std::fill_n(&pair.reference[0][4], 4, int8_t(-1));
        std::fill_n(&pair.reference[1][4], 4, int8_t(-1));
    }));
}

// Each slice is compared with up to 256 tables.
TEST(H264Motion, PicturesOfTinySlicesNeedRectangles) {
    for (const size_t slices : {size_t(1024), size_t(1025)}) {
        MotionPair pair;
        Motion motion;
        pair.slice_table[1] = 1;
        pair.pack();
        StrengthInput arrays = pair.input();
        arrays.slice_count = slices; // those without a macroblock are not read
        EXPECT_EQ(pair.begin_packed(motion, arrays), slices == 1024);
    }
}

// There is room for as many workgroups as the records of boundary strengths had predictions. Arrays
// that a caller changes afterwards could need more.
TEST(H264Motion, ArraysThatChangedNeedRectangles) {
    const auto sorts = [](auto &&change) {
        MotionPair pair;
        Motion motion;
        pair.predictions[0].reference[0][1] = pair.predictions[1].reference[0][1] = 0;
        pair.pack();
        change(pair);
        return pair.begin_packed(motion, pair.input());
    };
    EXPECT_TRUE(sorts([](MotionPair &) {}));
    EXPECT_TRUE(sorts([](MotionPair &pair) { pair.slice_table[1] = 1; }));
    EXPECT_TRUE(sorts([](MotionPair &pair) { pair.slices[0].picture[0][1] = 9; }));
    EXPECT_FALSE(sorts([](MotionPair &pair) { pair.reference[0][4] = 1; }));
    EXPECT_FALSE(sorts([](MotionPair &pair) { pair.reference[0][7] = 32; }));
    EXPECT_FALSE(sorts([](MotionPair &pair) { pair.reference[0][0] = -1; }));
    EXPECT_FALSE(sorts([](MotionPair &pair) { pair.slices[0].picture[0][0] = 9; }));
}

// Slices that are predicted alike, of which the first names other pictures where it uses none.
TEST(H264Motion, ATableHasThePicturesOfAllItsSlices) {
    MotionPair pair;
    pair.slice_table[1] = 1;
    std::fill_n(&pair.reference[0][4], 4, int8_t(1));
    EXPECT_TRUE(pair.sorts());
    pair.slices[0].picture[0][1] = 9;
    EXPECT_FALSE(pair.sorts());
}

TEST(H264Motion, ADispatchForEachModeAndSource) {
    MotionPair pair;
    pair.mb_type[0] = both_lists_used;
    Motion motion;
    ASSERT_TRUE(pair.begin(motion));
    Plan plan;
    SampleMap map;
    map.format = pair.format;
    std::vector<InterSource> sources(max_inter_sources, {map, 0, -2});
    motion.plan_sort(map.format, motion_shaders, plan);
    ASSERT_TRUE(pair.packed.placed);
    EXPECT_EQ(plan.arena[pair.packed.placed->macroblocks], pair.packed.macroblocks[0].bits);
    motion.plan_prediction(map, sources, inter_shaders, plan);
    std::vector<uint32_t> shaders;
    for (const Dispatch &dispatch : plan.dispatches)
        shaders.push_back(dispatch.shader);
    EXPECT_EQ(shaders, (std::vector<uint32_t>{1, 2, 3, 10, 11}));
    // The second prediction waits for the first.
    EXPECT_FALSE(plan.dispatches[4].follows);
    const Dispatch &put = plan.dispatches[3];
    for (uint32_t word = 0; word < 2 * put.groups[0]; word++)
        ASSERT_EQ(plan.arena[put.push[0] + word], 0u) << "workgroups without records";
}
