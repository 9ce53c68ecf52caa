// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>
#include <gtest/gtest.h>
#include <random>

#include "vp9/filter/pack.hpp"

using namespace v3doff;
using namespace v3doff::vp9;

namespace {

// Whether an edge of a line reads samples on both sides of a place.
bool read_across(uint32_t marks, unsigned blocks, unsigned place) {
    for (unsigned block = 0; block < blocks; block++) {
        const unsigned mark = marks >> 4 * block, size = mark & 3, at = 8 * block;
        const unsigned reads = size == FILTER_16 ? 8 : 4;
        if (size && at < place + reads && place < at + reads) return true;
        if (mark & 4 && at + 4 < place + 4 && place < at + 8) return true;
    }
    return false;
}

enum Shader : uint32_t { wave = 1, strips, strip_tops, columns, rows, rows_phased };
constexpr FilterShaders shaders{wave, strips, strip_tops, columns, rows, rows_phased};

Plan plan_of(const FilterInput &input, const FilterChoice &choice = {}) {
    SampleMap map;
    map.format = input.format;
    for (unsigned plane = 0; plane < 3; plane++)
        map.stride_words[plane] = 4096;
    Plan plan;
    FilterPlanner planner;
    planner.plan(input, map, shaders, choice, plan);
    return plan;
}

std::vector<uint32_t> shaders_of(const Plan &plan) {
    std::vector<uint32_t> list;
    for (const Dispatch &dispatch : plan.dispatches)
        list.push_back(dispatch.shader);
    return list;
}

// The same marks in all superblocks of a 1920x1088 picture.
struct Picture {
    std::vector<FilterSuperblock> superblocks{30 * 17};
    FilterInput input;

    Picture(EdgeMask size, uint8_t bits, bool inner) {
        FilterSuperblock superblock{};
        std::memset(superblock.level, 20, sizeof superblock.level);
        for (auto &direction : superblock.mask[0])
            for (unsigned row = 0; row < 8; row++) {
                if (&direction == &superblock.mask[0][0] || bits >> row & 1)
                    direction[row][size] = &direction == &superblock.mask[0][0] ? bits : 0xff;
                if (inner) direction[row][mask_inner] = 0xff;
            }
        superblocks.assign(superblocks.size(), superblock);
        input.format = {1920, 1088, 8, V3DOFF_CHROMA_420};
        input.superblocks = superblocks.data();
    }
};

// Every strip has its tasks, each once and at the level that StripLevels gives it.
void expect_every_task(const CutPasses &passes, uint32_t rows, uint32_t cols,
                       const std::vector<StripCuts> (&cuts)[2]) {
    for (unsigned set = 0; set < 2; set++) {
        StripLevels levels;
        levels.plan(rows, cols, cuts[set]);
        unsigned seen[CutPasses::kinds] = {};
        for (auto kind : {CutPasses::first_tasks, CutPasses::second_tasks})
            for (uint32_t level = 1; level <= passes.levels(); level++) {
                const StripTasks &tasks = passes.tasks(kind, set);
                for (uint32_t i = 0; i < tasks.count(level); i++, seen[kind]++) {
                    const uint32_t word = tasks.words(level)[i];
                    const size_t strip = (word & 0xffff) * (cols - 1) + (word >> 16);
                    EXPECT_EQ((kind ? levels.second : levels.first)[strip], level);
                }
            }
        EXPECT_EQ(seen[CutPasses::first_tasks], rows * (cols - 1));
        EXPECT_EQ(seen[CutPasses::second_tasks], (rows - 1) * (cols - 1));
    }
}

} // namespace

TEST(FilterCut, NoEdgeReadsAcrossAFreePlace) {
    std::mt19937 random(3);
    unsigned found = 0, places = 0;
    for (unsigned i = 0; i < 20000; i++)
        for (unsigned blocks : {4u, 8u}) {
            uint32_t marks = random() & random() & 0x77777777;
            if (blocks == 4) marks &= 0xffff;
            const uint32_t free = free_places(marks, blocks);
            EXPECT_EQ(free & ~0x15555554u, 0u);
            EXPECT_EQ(free >> (4 * blocks - 3), 0u) << "cuts into the last block";
            for (unsigned place = 4; place <= 8 * blocks - 8; place += 4, places++) {
                const bool is_free = free >> place / 2 & 1;
                found += is_free;
                EXPECT_EQ(is_free, !read_across(marks, blocks, place))
                    << std::hex << marks << " at " << std::dec << place;
            }
        }
    EXPECT_GT(found, places / 20);
}

// Each task comes after what it reads, and no later than it must.
TEST(FilterCut, LevelsFollowTheMissingCuts) {
    std::mt19937 random(4);
    for (unsigned i = 0; i < 300; i++) {
        const uint32_t rows = 1 + random() % 9, cols = 1 + random() % 9, odds = 1 + random() % 12;
        std::vector<StripCuts> cuts(size_t(rows) * (cols - 1));
        for (size_t s = 0; s < cuts.size(); s++)
            cuts[s] = {s % (cols - 1) == 0 || random() % odds != 0, random() % odds != 0};
        StripLevels levels;
        levels.plan(rows, cols, cuts);
        const auto complete = [&](size_t s) { return std::max(levels.first[s], levels.second[s]); };
        for (size_t s = 0; s < cuts.size(); s++) {
            const bool top = s < cols - 1;
            EXPECT_EQ(levels.first[s], cuts[s].columns ? 1 : complete(s - 1) + 1);
            if (top) {
                EXPECT_EQ(levels.second[s], 0);
                continue;
            }
            const size_t above = s - (cols - 1);
            const int rows_above = cuts[above].rows ? levels.first[above] : complete(above);
            EXPECT_EQ(levels.second[s], std::max<int>(levels.first[s], rows_above) + 1);
        }
    }
}

TEST(FilterCut, EveryTaskOnceAtItsLevel) {
    std::mt19937 random(5);
    CutPasses passes;
    // 1: no cut is missing, which is planned otherwise; before and behind pictures where some are.
    for (unsigned odds : {3u, 1u, 3u, 50u, 1u})
        for (uint32_t rows : {7u, 1u, 2u})
            for (uint32_t cols : {6u, 2u}) {
                std::vector<StripCuts> cuts[2];
                for (auto &set : cuts)
                    for (unsigned s = 0; s < rows * (cols - 1); s++)
                        set.push_back({odds == 1 || s % (cols - 1) == 0 || random() % odds != 0,
                                       odds == 1 || random() % odds != 0});
                passes.plan(rows, cols, cuts);
                expect_every_task(passes, rows, cols, cuts);
            }
}

TEST(FilterOrder, TheFewerDispatches) {
    FilterChoice choice;
    EXPECT_EQ(decide_order(choice, 8, 8), FilterOrder::cuts);
    EXPECT_EQ(decide_order(choice, 8, 9), FilterOrder::wave);
    choice.cut_percent = 150;
    EXPECT_EQ(decide_order(choice, 8, 12), FilterOrder::cuts);
    EXPECT_EQ(decide_order(choice, 8, 13), FilterOrder::wave);
    choice.cheap_cuts = 5;
    EXPECT_EQ(decide_order(choice, 2, 5), FilterOrder::cuts);
    EXPECT_EQ(decide_order(choice, 2, 6), FilterOrder::wave);
    EXPECT_EQ(decide_order(choice, 8, 12), FilterOrder::cuts);
    choice.order = FilterOrder::cuts;
    EXPECT_EQ(decide_order(choice, 1, 100), FilterOrder::cuts);
    choice.order = FilterOrder::wave;
    EXPECT_EQ(decide_order(choice, 100, 1), FilterOrder::wave);
}

// Transforms of 8x8 leave a cut in every line; 4x4 everywhere leaves none.
TEST(FilterOrder, TakenFromThePicturesMasks) {
    const Picture cuts_everywhere(mask_8, 0xff, false), large(mask_16, 0x11, false);
    for (const Picture *picture : {&cuts_everywhere, &large}) {
        EXPECT_EQ(shaders_of(plan_of(picture->input)),
                  (std::vector<uint32_t>{strips, strip_tops, columns, rows}));
        FilterChoice choice;
        choice.phased_rows = true;
        EXPECT_EQ(plan_of(picture->input, choice).dispatches.back().shader, rows_phased);
        choice.order = FilterOrder::wave;
        EXPECT_EQ(plan_of(picture->input, choice).dispatches.front().shader, wave);
    }
    Picture no_cut(mask_4, 0xff, true);
    const Plan plan = plan_of(no_cut.input);
    EXPECT_EQ(plan.dispatches.size(), plan_wave(17, 30).dispatches);
    for (uint32_t shader : shaders_of(plan))
        EXPECT_EQ(shader, wave);
    FilterChoice forced;
    forced.order = FilterOrder::cuts;
    EXPECT_GT(plan_of(no_cut.input, forced).dispatches.size(), plan.dispatches.size());
    for (FilterSuperblock &superblock : no_cut.superblocks)
        std::memset(superblock.level, 0, sizeof superblock.level); // nothing is filtered
    EXPECT_TRUE(plan_of(no_cut.input).dispatches.empty());
}

// One strip without a cut between columns waits for the one on its left: a level more.
TEST(FilterOrder, AMissingCutCostsALevel) {
    Picture picture(mask_8, 0xff, false);
    FilterSuperblock &superblock = picture.superblocks[5 * 30 + 7];
    for (unsigned bit = 0; bit < 8; bit++)
        superblock.mask[0][0][3][mask_inner] |= 1 << bit;
    EXPECT_EQ(shaders_of(plan_of(picture.input)),
              (std::vector<uint32_t>{strips, strip_tops, strips, strip_tops, columns, rows}));
}
