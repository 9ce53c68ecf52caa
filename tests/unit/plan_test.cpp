// SPDX-License-Identifier: BSD-2-Clause
#include "picture/plan.hpp"

#include <gtest/gtest.h>

using namespace v3doff;

TEST(Plan, RowRangeGrows) {
    RowRange rows;
    EXPECT_TRUE(rows.empty());
    rows.add(8, 16);
    rows.add(4, 6);
    EXPECT_EQ(rows.first, 4u);
    EXPECT_EQ(rows.end, 16u);
    EXPECT_FALSE(rows.empty());
}

TEST(Plan, DispatchKeepsPushConstants) {
    struct Push {
        uint32_t a, b;
    };
    Plan plan;
    plan.dispatch(3, {7, 1, 1}, Push{11, 12}, vk::in_place);
    ASSERT_EQ(plan.dispatches.size(), 1u);
    EXPECT_EQ(plan.dispatches[0].shader, 3u);
    EXPECT_EQ(plan.dispatches[0].groups[0], 7u);
    EXPECT_EQ(plan.dispatches[0].push_bytes, 8u);
    EXPECT_EQ(plan.dispatches[0].push[1], 12u);
}

// A barrier stands where a pass touches what one since the last barrier has written, or writes what
// one has read.
TEST(Plan, BarriersFollowFromWhatPassesTouch) {
    Plan plan;
    const auto add = [&](uint8_t reads, uint8_t writes, bool follows = false) {
        plan.dispatch(0, {1, 1, 1}, 0u, {reads, writes}).follows = follows;
    };
    add(vk::memory_samples, vk::memory_samples);
    add(0, vk::memory_arena);                  // of other memory
    add(vk::memory_arena, vk::memory_samples); // reads what the one before has written
    add(vk::memory_samples, vk::memory_samples, true);
    add(vk::memory_scratch, 0);
    add(vk::memory_arena, 0);   // the barrier was in between
    add(0, vk::memory_scratch); // read since
    std::string barriers;
    plan.each_pass([&](const Dispatch &, bool barrier) { barriers += barrier ? '1' : '0'; });
    EXPECT_EQ(barriers, "0010001");
}

TEST(Plan, ScratchMemoryIsThereWhereAPassTouchesIt) {
    Plan plan;
    plan.dispatch(0, {1, 1, 1}, 0u, vk::in_place);
    EXPECT_EQ(plan.scratch_words, 0u);
    plan.dispatch(0, {1, 1, 1}, 0u, {vk::memory_scratch, vk::memory_samples});
    EXPECT_EQ(plan.scratch_words, 1u);
}

TEST(Plan, ClearKeepsMemory) {
    Plan plan;
    plan.arena.resize(1000);
    plan.scratch_words = 5;
    plan.rows[1].add(0, 4);
    size_t capacity = plan.arena.capacity();
    plan.clear();
    EXPECT_TRUE(plan.arena.empty());
    EXPECT_EQ(plan.arena.capacity(), capacity);
    EXPECT_EQ(plan.scratch_words, 0u);
    EXPECT_TRUE(plan.rows[1].empty());
}

TEST(Plan, RoomIsReservedBehindTheArena) {
    Plan plan;
    plan.arena.resize(20);
    EXPECT_EQ(plan.arena_words(), 20u);
    EXPECT_EQ(plan.reserve(5), 32u);
    EXPECT_EQ(plan.arena_words(), 37u);
    EXPECT_EQ(plan.reserve(16), 48u);
    EXPECT_EQ(plan.arena_words(), 64u);
    EXPECT_EQ(plan.arena.size(), 20u); // what is uploaded
    plan.clear();
    EXPECT_EQ(plan.arena_words(), 0u);
}

// All workgroups once, in order, whatever the number of pieces.
TEST(Plan, PiecesOfADispatchCoverIt) {
    for (std::array<uint32_t, 3> groups :
         {std::array<uint32_t, 3>{60, 3, 1}, {3, 60, 3}, {1, 1, 1}, {7, 2, 50}}) {
        Plan plan;
        plan.dispatch(0, groups, 0, vk::in_place).by_area = true;
        const Dispatch &dispatch = plan.dispatches[0];
        const size_t axis = size_t(std::max_element(groups.begin(), groups.end()) - groups.begin());
        for (uint32_t wanted : {0u, 1u, 2u, 4u, 7u, 1000u}) {
            const uint32_t pieces = most_pieces(dispatch, wanted);
            EXPECT_LE(pieces, groups[axis]);
            uint32_t next = 0;
            for (uint32_t i = 0; i < pieces; i++) {
                const vk::Piece piece = piece_of(dispatch, pieces, i);
                EXPECT_EQ(piece.first[axis], next);
                EXPECT_GT(piece.count[axis], 0u);
                next += piece.count[axis];
                for (size_t other = 0; other < 3; other++)
                    if (other != axis) {
                        EXPECT_EQ(piece.first[other], 0u);
                        EXPECT_EQ(piece.count[other], groups[other]);
                    }
            }
            EXPECT_EQ(next, groups[axis]);
        }
    }
}

TEST(Plan, OnlyDispatchesByAreaAreCut) {
    Plan plan;
    plan.dispatch(0, {1000, 1, 1}, 0, vk::in_place);
    EXPECT_EQ(most_pieces(plan.dispatches[0], 4), 1u);
}
