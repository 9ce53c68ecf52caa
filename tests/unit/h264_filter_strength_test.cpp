// SPDX-License-Identifier: BSD-2-Clause
// Boundary strengths: what the plain reference derives, against the standard, and against FFmpeg
// where that does otherwise.
#include "h264_filter_strength_pair.hpp"

namespace v3doff {
namespace {

using namespace h264;

TEST(H264Strength, NumberOfMotionVectorsCounts) {
    Pair pair;
    EXPECT_EQ(pair.between(), 0u);
    pair.mb_type[0] |= 1 << 14; // both lists, the second one the same picture with the same motion
    EXPECT_EQ(pair.between(), 1u);
    // What FFmpeg does in P slices, whose neighbours may be B slices.
    pair.slice_table[1] = 1;
    pair.slices[1].flags = V3DOFF_H264_SLICE_LIST_0_ONLY;
    EXPECT_EQ(pair.between(), 0u);
}

TEST(H264Strength, ListsDoNotMatterPicturesDo) {
    Pair pair;
    pair.mb_type[0] = mb_16x16 | 1 << 14;
    pair.motion[0][0][0] = 400; // of a list that is not used
    EXPECT_EQ(pair.between(), 0u);
    pair.slices[0].picture[1][0] = 9;
    EXPECT_EQ(pair.between(), 1u);
}

TEST(H264Strength, TwoVectorsOfOnePicture) {
    Pair pair;
    for (unsigned mb = 0; mb < 2; mb++)
        pair.mb_type[mb] |= 1 << 14;
    pair.motion[0][0][0] = 0, pair.motion[1][0][0] = 100; // left: 0 and 100
    pair.motion[0][4][0] = 100, pair.motion[1][4][0] = 0; // right: 100 and 0
    EXPECT_EQ(pair.between(), 0u);
    pair.motion[1][4][0] = 4;
    EXPECT_EQ(pair.between(), 1u);
    pair.motion[1][4][0] = 0;
    pair.slices[0].picture[1][0] = 5; // now each list is a picture of its own
    EXPECT_EQ(pair.between(), 1u);
}

TEST(H264Strength, VerticalLimitIsHalfInFields) {
    Pair pair;
    Arrays input = pair.input();
    pair.motion[0][0][1] = 3;
    EXPECT_EQ(derive(input)[1].vertical[0], 0u);
    input.field = true;
    EXPECT_EQ(derive(input)[1].vertical[0], 0x10001u);
    pair.motion[0][0][1] = 1;
    EXPECT_EQ(derive(input)[1].vertical[0], 0u);
}

TEST(H264Strength, FarVectorsDoNotWrap) {
    Pair pair;
    for (unsigned component = 0; component < 2; component++) {
        pair.motion[0][0][component] = INT16_MIN;
        pair.motion[0][4][component] = INT16_MAX;
        EXPECT_EQ(pair.between(), 1u);
        pair.motion[0][0][component] = pair.motion[0][4][component] = 0;
    }
}

TEST(H264Strength, SwitchingSlicesAreAsIntra) {
    Pair pair;
    pair.slices[0].flags = V3DOFF_H264_SLICE_SWITCHING;
    EXPECT_EQ(derive(pair.input())[1].vertical[0], 0x33343334u);
}

} // namespace
} // namespace v3doff
