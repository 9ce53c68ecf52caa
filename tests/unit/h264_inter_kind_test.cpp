// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter/kind.hpp"

#include <gtest/gtest.h>

using namespace v3doff;
using namespace v3doff::h264;

namespace {

// In the middle of the picture.
InterInput block_at(uint8_t side, int16_t across, int16_t down) {
    return {16, 16, side, side, {0, -1}, 0, {{across, down}, {}}};
}

uint h264_kind(const InterInput &block, uint32_t bit_depth = 8, unsigned plane = 0) {
    const InterPlane of({64, 64, bit_depth, V3DOFF_CHROMA_420}, plane);
    return inter_kind(of, of.place(block, 0), block, InterMode::put, bit_depth);
}

} // namespace

TEST(H264InterKind, KindFollowsTheFractions) {
    const uint kinds[4][4] = {
        {INTER_COPY, INTER_ACROSS, INTER_ACROSS, INTER_ACROSS},
        {INTER_DOWN, INTER_DIAGONAL, INTER_CENTRE, INTER_DIAGONAL},
        {INTER_DOWN, INTER_BESIDE + INTER_NARROW, INTER_CENTRE, INTER_BESIDE + INTER_NARROW},
        {INTER_DOWN, INTER_DIAGONAL, INTER_CENTRE, INTER_DIAGONAL}};
    for (int16_t y = 0; y < 4; y++)
        for (int16_t x = 0; x < 4; x++) {
            EXPECT_EQ(h264_kind(block_at(8, x, y)), kinds[y][x]) << x << ", " << y;
            EXPECT_EQ(h264_kind(block_at(4, x, y)), kinds[y][x] % 6 + INTER_NARROW);
            EXPECT_EQ(h264_kind(block_at(4, x, y), 10), kinds[y][x]);
        }
}

// Only what is read counts: whole samples up to the edge need no clamp, the sixth tap does.
TEST(H264InterKind, OutsideIsAKindOfItsOwn) {
    const int16_t to_edge = 4 * (64 - 16 - 8);
    EXPECT_EQ(h264_kind(block_at(8, to_edge, 0)), INTER_COPY);
    EXPECT_EQ(h264_kind(block_at(8, to_edge + 4, 0)), INTER_ANY);
    EXPECT_EQ(h264_kind(block_at(8, to_edge - 2, 0)), INTER_ANY);
    EXPECT_EQ(h264_kind(block_at(8, to_edge - 10, 0)), INTER_ACROSS);
    EXPECT_EQ(h264_kind(block_at(8, -4 * 16, 0)), INTER_COPY);
    EXPECT_EQ(h264_kind(block_at(8, -4 * 16 + 1, 0)), INTER_ANY);
    EXPECT_EQ(h264_kind(block_at(8, to_edge, 0), 8, 1), INTER_COPY + INTER_NARROW);
    EXPECT_EQ(h264_kind(block_at(8, to_edge + 1, 0), 8, 1), INTER_CHROMA_ANY);
    EXPECT_EQ(h264_kind(block_at(4, 1, 0), 8, 1), INTER_CHROMA_PART);
}
