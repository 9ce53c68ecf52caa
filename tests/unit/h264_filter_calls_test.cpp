// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "h264/filter/filter.hpp"

using namespace v3doff;
using namespace v3doff::h264;

namespace {

PictureView view() {
    PictureView picture;
    picture.format = {64, 64, 8, V3DOFF_CHROMA_420};
    for (unsigned p = 0; p < 3; p++)
        picture.plane[p] = {nullptr, 64, 64u >> !!p, 64u >> !!p, 64u >> !!p, 64u >> !!p};
    return picture;
}

struct Tc0 {
    int8_t of[4];
};

PlacedEdge edge(unsigned plane, unsigned x, unsigned y, bool between_rows, Tc0 tc0 = {{1, 1, 2, 3}},
                bool field = false) {
    PlacedEdge placed;
    placed.plane = plane;
    placed.x = x;
    placed.y = y;
    placed.between_rows = between_rows;
    placed.field = field;
    placed.call.alpha = 40;
    placed.call.beta = 10;
    std::copy_n(tc0.of, 4, placed.call.tc0);
    placed.call.lines_a_group = plane ? 2 : 4;
    placed.call.chroma_style = plane > 0;
    return placed;
}

PlacedEdge strong_edge(unsigned x, unsigned y, bool between_rows) {
    PlacedEdge placed = edge(0, x, y, between_rows);
    placed.call.strong = true;
    return placed;
}

struct Resolved {
    std::string problem;
    std::vector<FilterRecords> parts;
    explicit Resolved(std::initializer_list<PlacedEdge> edges) {
        FilterCalls calls;
        uint32_t lane = 0; // the order is that of the calls, whichever lane they come through
        for (const PlacedEdge &one : edges)
            calls.record(lane++ % 3, view(), one);
        EXPECT_EQ(calls.size(), edges.size());
        const char *found = resolve_edges(calls.in_order(), view().format, parts);
        problem = found ? found : "";
    }
    const FilterMb &mb(unsigned x, unsigned y) const { return parts[0].records[y * 4 + x]; }
};

unsigned tc0_of(const uint32_t (&thresholds)[3], unsigned group, const uint32_t (&strengths)[2],
                unsigned number, unsigned segment) {
    const unsigned strength = strength_of(strengths, number, segment);
    return strength ? unpack_tc0(thresholds[group], strength) : 99;
}

} // namespace

TEST(H264FilterCalls, BecomeStrengthsThatLeadToTheSameTc0) {
    const Resolved found({strong_edge(16, 16, false), edge(0, 24, 16, false, {{-1, 3, 0, 7}}),
                          edge(1, 12, 16 / 2, false, {{-1, 2, 5, 5}}),
                          edge(0, 16, 20, true, {{3, 3, 0, 7}})});
    EXPECT_EQ(found.problem, "");
    ASSERT_EQ(found.parts.size(), 1u);
    const FilterMb &mb = found.mb(1, 1);
    EXPECT_EQ(strength_of(mb.vertical, 0, 3), 4u);
    EXPECT_EQ(mb.luma[0] & 0xffff, 40u | 10u << 8);
    EXPECT_EQ(strength_of(mb.vertical, 2, 0), 0u);
    const unsigned luma[4] = {99, 3, 0, 7}, chroma[4] = {99, 2, 5, 5};
    const unsigned down[4] = {3, 3, 0, 7};
    for (unsigned s = 0; s < 4; s++) {
        EXPECT_EQ(tc0_of(mb.luma, 2, mb.vertical, 2, s), luma[s]);
        EXPECT_EQ(tc0_of(mb.cb, 2, mb.vertical, 2, s), chroma[s]);
        EXPECT_EQ(tc0_of(mb.luma, 2, mb.horizontal, 1, s), down[s]);
    }
    EXPECT_EQ(mb.cr[2], 0u); // not called, and then of no consequence
}

TEST(H264FilterCalls, FieldsAreParts) {
    const Resolved found({edge(0, 16, 0, false, {{1, 1, 1, 1}}, true),
                          edge(0, 16, 33, false, {{2, 2, 2, 2}}, true)});
    EXPECT_EQ(found.problem, "");
    ASSERT_EQ(found.parts.size(), 2u);
    EXPECT_EQ(found.parts[0].area.parity, 0u);
    EXPECT_EQ(found.parts[1].area.parity, 1u);
    EXPECT_EQ(found.parts[1].area.mb_height, 2u);
    EXPECT_NE(strength_of(found.parts[1].records[4 + 1].vertical, 0, 0), 0u);
    EXPECT_NE(Resolved({edge(0, 16, 0, false), edge(0, 16, 16, false, {}, true)}).problem, "");
}

TEST(H264FilterCalls, WhatAPictureCannotHaveIsNamed) {
    EXPECT_NE(Resolved({edge(0, 18, 0, false)}).problem, "") << "between blocks";
    EXPECT_NE(Resolved({edge(0, 16, 8, false)}).problem, "") << "half a macroblock";
    EXPECT_NE(Resolved({edge(0, 0, 16, false)}).problem, "") << "the picture's border";
    EXPECT_NE(Resolved({strong_edge(20, 0, false)}).problem, "") << "strength 4 inside";
    PlacedEdge half = edge(0, 16, 0, false);
    half.call.lines_a_group = 2; // of MBAFF
    EXPECT_NE(Resolved({half}).problem, "");
    PlacedEdge other = edge(0, 24, 0, false);
    other.call.alpha = 41;
    EXPECT_NE(Resolved({edge(0, 20, 0, false), other}).problem, "") << "two inner thresholds";
    EXPECT_NE(Resolved({edge(0, 20, 0, false, {{1, 2, 3, 4}})}).problem, "") << "four strengths";
    other = edge(0, 24, 0, false);
    other.call.beta = 300;
    EXPECT_NE(Resolved({other}).problem, "") << "beyond the tables";
    other.call.beta = 0;
    EXPECT_EQ(Resolved({other}).problem, "") << "filters nothing";
}

TEST(H264FilterCalls, OnlyAnOrderThatMattersIsNamed) {
    const PlacedEdge v0 = edge(0, 4, 0, false), v1 = edge(0, 16, 0, false),
                     h0 = edge(0, 0, 4, true), h1 = edge(0, 16, 4, true),
                     below = edge(0, 0, 16, true);
    EXPECT_EQ(Resolved({v0, h0, v1, h1, below}).problem, "");
    EXPECT_EQ(Resolved({v0, h0, v1, below, h1}).problem, "") << "neither can tell";
    EXPECT_NE(Resolved({h0, v0}).problem, "") << "H before V";
    EXPECT_NE(Resolved({v0, v1, h0, h1}).problem, "") << "all V, then all H";
    EXPECT_NE(Resolved({v0, h0, below, v1}).problem, "") << "V of the right before H below";
    EXPECT_NE(Resolved({edge(0, 8, 0, false), v0}).problem, "") << "leftwards";
}

TEST(H264FilterCalls, TouchedMacroblocks) {
    FilterCalls calls;
    EXPECT_FALSE(calls.touched(view(), 0, 0, 0, 4));
    calls.record(0, view(), edge(0, 16, 16, true));
    EXPECT_TRUE(calls.touched(view(), 0, 31, 31, 1));
    EXPECT_TRUE(calls.touched(view(), 0, 16, 0, 4)); // rows above are written
    EXPECT_FALSE(calls.touched(view(), 0, 0, 16, 4));
    EXPECT_FALSE(calls.touched(view(), 1, 8, 8, 4));
    calls.clear();
    EXPECT_FALSE(calls.touched(view(), 0, 31, 31, 1));
}
