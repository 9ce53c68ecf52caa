// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "vp9/filter/edge.hpp"

using namespace v3doff;
using namespace v3doff::vp9;

namespace {

PictureView view() {
    PictureView picture;
    picture.format = {128, 128, 8, V3DOFF_CHROMA_420};
    for (unsigned p = 0; p < 3; p++)
        picture.plane[p] = {nullptr, 128, 128u >> !!p, 128u >> !!p, 128u >> !!p, 128u >> !!p};
    return picture;
}

PlacedEdge call(unsigned plane, unsigned x, unsigned y, bool between_rows, unsigned size = 8,
                unsigned level = 20, unsigned sharpness = 0) {
    const uint32_t limit = FilterSharpness(sharpness).limit(level);
    PlacedEdge edge{0, plane, x, y, false, between_rows, {}};
    edge.call.size = uint8_t(size);
    edge.call.i = int16_t(limit);
    edge.call.e = int16_t(2 * (level + 2) + limit);
    edge.call.h = int16_t(level >> 4);
    return edge;
}

struct Resolved {
    std::string problem;
    FilterInput input;
    std::vector<FilterSuperblock> superblocks;
    explicit Resolved(std::initializer_list<PlacedEdge> edges) {
        FilterCalls calls;
        uint32_t lane = 0; // the order is that of the calls, whichever lane they come through
        for (const PlacedEdge &edge : edges)
            calls.record(lane++ % 3, view(), edge);
        EXPECT_EQ(calls.size(), edges.size());
        const char *found = resolve_edges(calls.in_order(), view().format, input, superblocks);
        problem = found ? found : "";
    }
};

} // namespace

TEST(Vp9FilterCalls, BecomeMarksAndLevels) {
    const Resolved found({call(0, 8, 0, false, 16, 33), call(0, 12, 0, false, 4, 33),
                          call(0, 72, 64, true, 8, 5), call(1, 8, 8, false, 4, 40),
                          call(2, 8, 8, false, 4, 40), call(1, 12, 8, false, 4, 40),
                          call(2, 12, 8, false, 4, 40)});
    EXPECT_EQ(found.problem, "");
    ASSERT_EQ(found.superblocks.size(), 4u);
    const auto &first = found.superblocks[0], &last = found.superblocks[3];
    EXPECT_EQ(first.mask[0][0][0][mask_16], 1 << 1);
    EXPECT_EQ(first.mask[0][0][0][mask_inner], 1 << 1);
    EXPECT_EQ(first.level[0][1], 33);
    EXPECT_EQ(last.mask[0][1][0][mask_8], 1 << 1);
    EXPECT_EQ(last.level[0][1], 5);
    // Chroma (8, 8) is luma (16, 16); the edge inside its block of 8 is the next bit, same level.
    EXPECT_EQ(first.mask[1][0][2][mask_4], 1 << 2 | 1 << 3);
    EXPECT_EQ(first.level[2][2], 40);
    EXPECT_EQ(first.level[2][3], 0);
}

TEST(Vp9FilterCalls, SharpnessIsFoundFromAllEdges) {
    for (unsigned sharpness = 0; sharpness < 8; sharpness++) {
        const Resolved found({call(0, 8, 0, false, 8, 63, sharpness),
                              call(0, 16, 0, false, 8, 7, sharpness),
                              call(0, 24, 0, false, 8, 1, sharpness)});
        EXPECT_EQ(found.problem, "");
        for (unsigned level : {1u, 7u, 63u})
            EXPECT_EQ(FilterSharpness(found.input.sharpness).limit(level),
                      FilterSharpness(sharpness).limit(level));
    }
    EXPECT_NE(Resolved({call(0, 8, 0, false, 8, 63, 0), call(0, 16, 0, false, 8, 63, 7)}).problem,
              "");
}

TEST(Vp9FilterCalls, LimitsOfNoLevelAreNamed) {
    for (int wrong = 0; wrong < 3; wrong++) {
        PlacedEdge edge = call(0, 8, 0, false);
        (wrong == 0 ? edge.call.e : wrong == 1 ? edge.call.i : edge.call.h)++;
        EXPECT_NE(Resolved({edge}).problem, "") << wrong;
    }
    EXPECT_NE(Resolved({call(0, 8, 0, false, 8, 0)}).problem, "") << "level 0 is not filtered";
}

TEST(Vp9FilterCalls, WhatAPictureCannotHaveIsNamed) {
    EXPECT_NE(Resolved({call(0, 10, 0, false)}).problem, "") << "not on a block's side";
    EXPECT_NE(Resolved({call(0, 8, 4, false)}).problem, "") << "half a block further";
    EXPECT_NE(Resolved({call(0, 12, 0, false, 8)}).problem, "") << "wide inside a block";
    EXPECT_NE(Resolved({call(0, 8, 0, false, 8, 20), call(0, 8, 0, true, 8, 21)}).problem, "")
        << "two levels of a block";
    EXPECT_NE(Resolved({call(1, 8, 0, false)}).problem, "") << "Cb alone";
    EXPECT_NE(Resolved({call(0, 8, 0, false), call(0, 8, 0, false)}).problem, "") << "twice";
}

TEST(Vp9FilterCalls, OnlyAnOrderThatMattersIsNamed) {
    const PlacedEdge v0 = call(0, 8, 0, false), v1 = call(0, 64, 0, false),
                     h0 = call(0, 0, 8, true), h1 = call(0, 64, 8, true),
                     below = call(0, 0, 64, true);
    EXPECT_EQ(Resolved({v0, h0, v1, h1, below}).problem, "");
    EXPECT_EQ(Resolved({v0, h0, v1, below, h1}).problem, "") << "neither can tell";
    EXPECT_NE(Resolved({h0, v0}).problem, "") << "H before V";
    EXPECT_NE(Resolved({v0, v1, h0, h1}).problem, "") << "all V, then all H";
    EXPECT_NE(Resolved({v0, h0, below, v1}).problem, "") << "V of the right before H below";
    EXPECT_NE(Resolved({call(0, 16, 0, false), v0}).problem, "") << "leftwards";
}

TEST(Vp9FilterCalls, TouchedSuperblocks) {
    FilterCalls calls;
    EXPECT_FALSE(calls.touched(view(), 0, 0, 0, 1));
    calls.record(0, view(), call(0, 64, 64, false));
    EXPECT_TRUE(calls.touched(view(), 0, 127, 127, 1));
    EXPECT_TRUE(calls.touched(view(), 0, 0, 64, 1)); // up to 8 samples to the left
    EXPECT_FALSE(calls.touched(view(), 0, 64, 0, 1));
    EXPECT_FALSE(calls.touched(view(), 1, 32, 32, 1));
    calls.clear();
    EXPECT_FALSE(calls.touched(view(), 0, 127, 127, 1));
    EXPECT_TRUE(calls.empty());
}
