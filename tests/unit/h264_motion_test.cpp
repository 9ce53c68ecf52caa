// SPDX-License-Identifier: BSD-2-Clause
// Motion that the GPU sorts: what it is told of it, and what is refused.
#include "h264/inter/motion.hpp"

#include "h264_filter_strength_pair.hpp"
#include "util/error.hpp"

using namespace v3doff;
using namespace v3doff::h264;

namespace {

constexpr MotionShaders motion_shaders = {1, 2, 3};
constexpr InterShaders inter_shaders = {10, 11, 12};
constexpr uint32_t both_lists_used = mb_16x16 | 1 << 12 | 1 << 14;

// The pair as a top field that is predicted from its own bottom field, source 1, by each index.
struct MotionPair : Pair {
    MotionPair() {
        from.lines = Lines(true, 0);
        from.own = 0;
        from.predictions = predictions;
        for (v3doff_h264_prediction &prediction : predictions) {
            prediction = {};
            for (auto &list : prediction.reference)
                std::fill(std::begin(list), std::end(list), uint8_t(1));
        }
    }
    void begin(Motion &motion) {
        EXPECT_EQ(macroblocks.add_all(input()), nullptr);
        motion.begin(format, from, macroblocks);
    }
    // The result of its error; OK: there was none.
    v3doff_result result() {
        Motion motion;
        try {
            begin(motion);
        } catch (const Error &error) {
            EXPECT_FALSE(motion.active());
            return error.code();
        }
        return V3DOFF_OK;
    }

    PictureFormat format{32, 16};
    PictureSources from;
    v3doff_h264_prediction predictions[2];
    Macroblocks::Part macroblocks;
};

std::vector<InterInput> blocks_of(MotionPair &pair) {
    Motion motion;
    pair.begin(motion);
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
    pair.begin(motion);
    const auto blocks = motion.blocks();
    ASSERT_EQ(blocks.size(), 2u);
    ASSERT_GT(blocks[0].weights, 0);
    EXPECT_EQ(motion.weights()[blocks[0].weights].weight[0][0], 40);
    EXPECT_EQ(motion.weights()[blocks[0].weights].weight[1][2], 24);
    EXPECT_EQ(blocks[1].weights, 0) << "implicit weights are those of two predictions";
}

// A reference that is not there matters where a macroblock of the slice names it.
TEST(H264Motion, MissingReferences) {
    const auto result = [](auto &&spoil) {
        MotionPair pair;
        spoil(pair);
        return pair.result();
    };
    const auto missing = V3DOFF_ERROR_INVALID_ARGUMENT;
    EXPECT_EQ(result([](MotionPair &) {}), V3DOFF_OK);
    EXPECT_EQ(result([](MotionPair &pair) { pair.predictions[0].reference[0][1] = 255; }),
              V3DOFF_OK);
    EXPECT_EQ(result([](MotionPair &pair) { pair.predictions[0].reference[0][0] = 255; }), missing);
    EXPECT_EQ(result([](MotionPair &pair) { pair.predictions[0].reference[0][0] = 0; }), missing)
        << "a field of itself";
    // The first slice lacks what only the second one's macroblocks have.
    EXPECT_EQ(result([](MotionPair &pair) {
                  pair.slice_table[1] = 1;
                  std::fill_n(&pair.reference[0][4], 4, int8_t(1));
                  pair.predictions[0].reference[0][1] = 255;
              }),
              V3DOFF_OK);
    EXPECT_EQ(result([](MotionPair &pair) {
                  pair.slice_table[1] = 1;
                  std::fill_n(&pair.reference[0][4], 4, int8_t(1));
                  pair.predictions[1].reference[0][1] = 255;
              }),
              missing);
}

// What is predicted from nothing needs no reference: nobody else may be missing one.
TEST(H264Motion, MaskedMacroblocks) {
    MotionPair pair;
    Motion motion;
    std::fill_n(&pair.reference[0][4], 4, int8_t(7));
    pair.predictions[0].reference[0][7] = 255;
    EXPECT_EQ(pair.macroblocks.add_all(pair.input()), nullptr);
    EXPECT_THROW(motion.begin(pair.format, pair.from, pair.macroblocks), Error);
    pair.macroblocks.macroblocks[1].reference[0] = ~0u;
    motion.begin(pair.format, pair.from, pair.macroblocks);
    EXPECT_EQ(motion.blocks().size(), 1u);
}

TEST(H264Motion, IsPredicted) {
    MotionPair pair;
    const auto predicted = [&] {
        EXPECT_EQ(pair.macroblocks.add_all(pair.input()), nullptr);
        return is_predicted(pair.macroblocks.macroblocks[1]);
    };
    EXPECT_TRUE(predicted());
    pair.mb_type[1] = 3 << 12;
    EXPECT_TRUE(predicted());
    pair.reference[0][4 + 2] = -1;
    EXPECT_FALSE(predicted()) << "a quarter has no reference";
    pair.mb_type[1] |= 3 << 14;
    EXPECT_TRUE(predicted()) << "but one of the other list";
    std::fill_n(&pair.reference[0][4], 4, int8_t(-1));
    std::fill_n(&pair.reference[1][4], 4, int8_t(-1));
    pair.mb_type[1] = both_lists_used;
    EXPECT_FALSE(predicted());
    pair.mb_type[1] = 1;
    EXPECT_FALSE(predicted()) << "intra";
    pair.mb_type[1] = mb_16x16 | 1 << 12;
    pair.reference[0][4] = pair.reference[0][5] = pair.reference[0][6] = pair.reference[0][7] = 0;
    EXPECT_TRUE(predicted());
    pair.slice_table[1] = no_slice;
    EXPECT_FALSE(predicted());
}

// To the filter they are intra.
TEST(H264Motion, SwitchingSlicesHaveMotion) {
    MotionPair pair;
    pair.slices[0].flags = V3DOFF_H264_SLICE_SWITCHING;
    EXPECT_EQ(blocks_of(pair).size(), 2u);
    EXPECT_TRUE(pair.macroblocks.macroblocks[0].bits & MB_INTRA);
}

// Damage may leave such, whose edges only the decoder knows. A partition is predicted as its first
// block is.
TEST(H264Motion, SplitPartitionsOfDirectMacroblocks) {
    MotionPair pair;
    pair.mb_type[0] = mb_16x8 | mb_direct | 3 << 12;
    pair.motion[0][0][0] = 9;                          // its first block
    pair.motion[0][2][0] = pair.motion[0][8][0] = -40; // others of the partition
    pair.reference[0][1] = 3;
    pair.motion[0][2 * 8][0] = 5; // the second partition
    Arrays input = pair.input();
    EXPECT_NE(pair.macroblocks.add_all(input), nullptr);
    input.filtered = false;
    EXPECT_EQ(pair.macroblocks.add_all(input), nullptr);
    Motion motion;
    pair.predictions[0].reference[0][3] = 255; // of nobody
    motion.begin(pair.format, pair.from, pair.macroblocks);
    const auto blocks = motion.blocks();
    ASSERT_EQ(blocks.size(), 5u);
    for (unsigned block = 0; block < 4; block++)
        EXPECT_EQ(blocks[block].vector[0][0], block < 2 ? 9 : 5);
}

// A pair of field macroblocks: half of an index is the frame, the lowest bit the other parity.
TEST(H264Motion, FieldMacroblocks) {
    MotionPair pair;
    pair.from.lines = Lines();
    pair.from.reference = {};
    pair.from.own = no_own_reference;
    std::fill_n(&pair.mb_type[0], 2, both_lists_used | mb_interlaced);
    std::fill_n(&pair.reference[0][0], 8, int8_t(5));
    std::fill_n(&pair.reference[1][0], 8, int8_t(2));
    int16_t implicit[2][2][32][32] = {};
    std::fill_n(&implicit[0][0][0][0], 2 * 2 * 32 * 32, int16_t(32));
    implicit[0][1][5][2] = 50; // of the lower one
    pair.predictions[0].weighting = V3DOFF_H264_WEIGHTS_IMPLICIT;
    pair.predictions[0].reference[0][2] = 1;
    pair.predictions[0].reference[1][1] = 0;
    Arrays input = pair.input();
    input.mb_width = 1, input.mb_height = 2, input.mb_stride = 1;
    input.motion_stride = 4, input.motion_mb_stride = 16;
    input.filtered = false, input.mbaff = true;
    EXPECT_EQ(pair.macroblocks.add_all(input), nullptr);
    Motion motion;
    EXPECT_THROW(motion.begin(pair.format, pair.from, pair.macroblocks), Error) << "no references";
    for (unsigned i = 0; i < 2; i++)
        pair.from.reference[i] = Surface::create(nullptr, lay_out(pair.format), V3DOFF_MEMORY_CPU);
    EXPECT_THROW(motion.begin(pair.format, pair.from, pair.macroblocks), Error) << "no weights";
    pair.from.field_implicit = implicit;
    motion.begin(pair.format, pair.from, pair.macroblocks);
    const auto blocks = motion.blocks();
    ASSERT_EQ(blocks.size(), 2u);
    for (uint8_t lower = 0; lower < 2; lower++) {
        const InterInput &block = blocks[lower];
        EXPECT_EQ(block.y, 0);
        EXPECT_TRUE(block.field);
        EXPECT_EQ(block.parity, lower);
        EXPECT_EQ(block.reference[0], 1); // of entry 2
        EXPECT_EQ(block.reference[1], 0); // of entry 1
        EXPECT_EQ(block.reference_parity[0], !lower);
        EXPECT_EQ(block.reference_parity[1], lower);
        EXPECT_EQ(block.weights != 0, lower == 1);
    }
}

TEST(H264Motion, ADispatchForEachModeAndSource) {
    MotionPair pair;
    pair.mb_type[0] = both_lists_used;
    Motion motion;
    pair.begin(motion);
    Plan plan;
    SampleMap map;
    map.format = pair.format;
    std::vector<InterSource> sources(max_inter_sources, {map, 0, -2});
    motion.plan_sort(map.format, motion_shaders, plan);
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
