// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/inter/pack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>
#include <span>

using namespace v3doff;
using namespace v3doff::vp9;

namespace {

SampleMap source_of(uint32_t width, uint32_t height) {
    return {{width, height, 8, V3DOFF_CHROMA_420}, {}, {64, 64, 64}};
}

InterInput block_of(int32_t ref_x, int32_t ref_y, uint8_t width, uint8_t height, uint8_t mx,
                    uint8_t my) {
    InterInput block{};
    block.ref_x = ref_x, block.ref_y = ref_y;
    block.width = width, block.height = height;
    block.mx = mx, block.my = my;
    block.step_x = block.step_y = inter_unscaled;
    return block;
}

uint kind_of(const InterInput &block, uint32_t bit_depth = 8, bool pairs = true) {
    return inter_kind(block, source_of(128, 128).format, bit_depth, pairs);
}

Plan plan_of(std::vector<InterInput> blocks) {
    const SampleMap source = source_of(128, 128);
    const std::vector<SampleMap> sources(3, source);
    InterPacker packer;
    Plan plan;
    packer.begin(source, sources, {{10, 11}, 12}, plan);
    packer.add(blocks);
    packer.finish(plan);
    return plan;
}

} // namespace

TEST(InterPack, KindFollowsTheFractions) {
    EXPECT_EQ(kind_of(block_of(16, 16, 8, 8, 0, 0)), INTER_COPY_2);
    EXPECT_EQ(kind_of(block_of(16, 16, 8, 8, 5, 0)), INTER_ACROSS_2);
    EXPECT_EQ(kind_of(block_of(16, 16, 8, 8, 0, 5)), INTER_DOWN_2);
    EXPECT_EQ(kind_of(block_of(16, 16, 8, 8, 0, 5), 10), INTER_DOWN_1);
    EXPECT_EQ(kind_of(block_of(16, 16, 4, 8, 0, 5)), INTER_DOWN_1);
    EXPECT_EQ(kind_of(block_of(16, 16, 8, 8, 5, 5)), INTER_BOTH_2);
    EXPECT_EQ(kind_of(block_of(16, 16, 8, 8, 5, 5), 12), INTER_BOTH_1);
    EXPECT_EQ(kind_of(block_of(16, 16, 4, 4, 5, 0)), INTER_ACROSS_1);
    EXPECT_EQ(kind_of(block_of(16, 16, 8, 8, 0, 0), 8, false), INTER_COPY_1);
    EXPECT_EQ(kind_of(block_of(16, 16, 4, 4, 5, 0), 10), INTER_ACROSS_2);
    EXPECT_EQ(kind_of(block_of(16, 16, 4, 4, 5, 0), 10, false), INTER_ANY_1);
    InterInput scaled = block_of(16, 16, 8, 8, 0, 0);
    scaled.step_y = 17;
    EXPECT_EQ(kind_of(scaled), INTER_SCALED_1);
}

TEST(InterPack, WhatReadsOutsideIsClamped) {
    EXPECT_EQ(kind_of(block_of(0, 0, 8, 8, 0, 0)), INTER_COPY_2);
    EXPECT_EQ(kind_of(block_of(-1, 0, 8, 8, 0, 0)), INTER_ANY_1);
    EXPECT_EQ(kind_of(block_of(0, -1, 8, 8, 0, 0)), INTER_ANY_1);
    EXPECT_EQ(kind_of(block_of(3, 0, 8, 8, 1, 0)), INTER_ACROSS_2);
    EXPECT_EQ(kind_of(block_of(2, 0, 8, 8, 1, 0)), INTER_ANY_1);
    EXPECT_EQ(kind_of(block_of(8, 116, 8, 8, 0, 1)), INTER_DOWN_2);
    EXPECT_EQ(kind_of(block_of(8, 117, 8, 8, 0, 1)), INTER_ANY_1);
    EXPECT_EQ(kind_of(block_of(121, 8, 8, 8, 0, 0)), INTER_ANY_1);
    // Every word that is read begins in the reference, also where no sample of it counts.
    EXPECT_EQ(kind_of(block_of(115, 8, 8, 8, 1, 0)), INTER_ANY_1);
    EXPECT_EQ(kind_of(block_of(114, 8, 8, 8, 1, 0)), INTER_ACROSS_2);
    EXPECT_EQ(kind_of(block_of(16, 16, 8, 6, 1, 0)), INTER_ANY_1);
}

TEST(InterPack, NoShapeExceedsAWorkgroup) {
    for (uint32_t depth : {8u, 10u})
        for (uint8_t width : {4, 8, 16, 32, 64})
            for (uint8_t height = 1; height <= 64; height++)
                for (uint8_t options = 0; options < 8; options++) {
                    InterInput block =
                        block_of(16, 16, width, height, options & 1, uint8_t(options >> 1 & 1));
                    const InterShape shape =
                        inter_shape(block, kind_of(block, depth), depth, options >> 2);
                    const uint rows = shape.rows << (shape.lanes_log2 - shape.side_log2);
                    EXPECT_LE(1u << shape.lanes_log2, INTER_LANES);
                    EXPECT_GE(rows, height);
                }
}

// What the packer takes for a block that reads nothing near an edge is one: each block of random
// places and vectors goes to the kernels that inter_kind() names, once for luma and once for each
// plane of chroma.
TEST(InterPack, BlocksOfWholePicturesGoWhereTheirPiecesWould) {
    const SampleMap source = source_of(256, 192);
    const std::vector<SampleMap> sources(3, source);
    const InterPredictor predictor(source.format, source.format);
    std::mt19937 random(1);
    InterPacker packer;
    InterWords whole;
    const PictureFormat *const formats[] = {&source.format};
    whole.begin(source.format, formats);
    unsigned anywhere = 0, from_words = 0;
    for (int i = 0; i < 20000; i++) {
        const auto number = uint32_t(random() % 13);
        const BlockSize size = block_sizes[number];
        const uint32_t col = uint32_t(random() % 32) >> (size.width_log2 - 3)
                                                            << (size.width_log2 - 3);
        const uint32_t row = uint32_t(random() % 24) >> (size.height_log2 - 3)
                                                            << (size.height_log2 - 3);
        uint32_t words[3 + 4] = {row | col << 13 | number << 26, 0, 0};
        for (unsigned k = 3; k < 7; k++) {
            const int across = int(random() % 1024) - 512, down = int(random() % 1024) - 512;
            words[k] = (uint32_t(across) & 0xffff) | uint32_t(down) << 16;
        }
        const InterBlock block = inter_block(words, 0);
        std::vector<uint32_t> expected, found;
        for (InterInput piece : predictor.pieces(block)) {
            piece.ref_x = inter_near(piece.ref_x, source.format.plane_width(piece.plane));
            piece.ref_y = inter_near(piece.ref_y, source.format.plane_height(piece.plane));
            const uint kind = inter_kind(piece, source.format, 8, piece.x % 8 == 0);
            anywhere += kind == INTER_ANY_1;
            expected.insert(expected.end(), 1 + piece.plane, kind);
        }
        Plan plan;
        packer.begin(source, sources, {{10, 11}, 12}, plan);
        whole.clear();
        whole.make_room(std::size(words));
        if (!whole.add(words, 0)) whole.add_other(words, 0);
        from_words += unsigned(whole.blocks().size());
        packer.add(whole);
        packer.finish(plan);
        ASSERT_EQ(plan.dispatches.size(), 1u);
        InterPush push;
        std::memcpy(&push, plan.dispatches[0].push.data(), sizeof push);
        for (uint32_t group = 0; group < plan.dispatches[0].groups[0]; group++) {
            const uint32_t shape = plan.arena[push.groups + group * 2 + 1];
            found.insert(found.end(), shape >> 16 & 0xff, shape & 15);
        }
        std::sort(expected.begin(), expected.end());
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found, expected) << "block " << i;
    }
    EXPECT_GT(anywhere, 1000u);
    EXPECT_GT(from_words, 1000u);
}

TEST(InterPack, WritesComeBeforeAverages) {
    std::vector<InterInput> blocks(4, block_of(16, 16, 8, 8, 3, 3));
    blocks[0].average = true;
    blocks[1].reference = 2;
    blocks[2].step_x = 8;
    const Plan plan = plan_of(blocks);
    ASSERT_EQ(plan.dispatches.size(), 4u);
    const uint32_t shaders[] = {10, 12, 10, 11}, references[] = {0, 0, 2, 0};
    for (size_t i = 0; i < 4; i++) {
        EXPECT_EQ(plan.dispatches[i].shader, shaders[i]);
        EXPECT_EQ(plan.dispatches[i].reference, references[i]);
        EXPECT_EQ(plan.dispatches[i].groups[0], 1u);
    }
}

TEST(InterPack, LongWorkIsCut) {
    const std::vector<InterInput> few(100, block_of(16, 16, 64, 64, 3, 3));
    EXPECT_EQ(plan_of(few).dispatches.size(), 1u);
    const std::vector<InterInput> many(600, few[0]);
    const Plan plan = plan_of(many);
    EXPECT_EQ(plan.dispatches.size(), 3u); // of a millisecond each
    uint32_t groups = 0;
    for (const Dispatch &dispatch : plan.dispatches)
        groups += dispatch.groups[0];
    EXPECT_EQ(groups, 75u); // 16 invocations a block, of 32 rows each
}
