// SPDX-License-Identifier: BSD-2-Clause
// What boundary strengths are derived from: arrays that are refused, and what is packed of slices.
#include <sstream>

#include "h264_filter_strength_pair.hpp"

namespace v3doff {
namespace {

using namespace h264;

TEST(H264Strength, BadInputIsRefused) {
    const auto refused = [](auto &&spoil) {
        Pair pair;
        EXPECT_EQ(pair.problem(), nullptr);
        spoil(pair);
        return pair.problem() != nullptr;
    };
    EXPECT_TRUE(refused([](Pair &pair) { pair.slice_table[1] = 2; }));
    EXPECT_TRUE(refused([](Pair &pair) { pair.qp[0] = 52; }));
    EXPECT_TRUE(refused([](Pair &pair) { pair.qp[1] = -1; }));
    EXPECT_TRUE(refused([](Pair &pair) { pair.reference[0][3] = 32; }));
    EXPECT_TRUE(refused([](Pair &pair) { pair.slices[0].picture[0][0] = 255; }));
    EXPECT_TRUE(refused([](Pair &pair) { pair.slices[0].filter_offset_a = 13; }));
    EXPECT_TRUE(refused([](Pair &pair) { pair.slices[0].filter_offset_b = INT32_MIN; }));
    EXPECT_TRUE(refused([](Pair &pair) { pair.slices[0].chroma_qp_index_offset[1] = -13; }));
    EXPECT_TRUE(refused([](Pair &pair) { pair.slices[0].disable_deblocking_filter = 3; }));
}

// Found in damaged streams: a direct macroblock whose type and vectors contradict each other.
TEST(H264Strength, SplitPartitionsOfDirectMacroblocksAreRefused) {
    const auto refused = [](uint32_t type, auto &&spoil) {
        Pair pair;
        pair.mb_type[0] = type | mb_direct | 1 << 12 | 1 << 13;
        EXPECT_EQ(pair.problem(), nullptr);
        spoil(pair);
        return pair.problem() != nullptr;
    };
    for (unsigned row = 0; row < 4; row++)
        for (unsigned column = 0; column < 4; column++)
            for (uint32_t type : {mb_16x8, mb_8x16})
                EXPECT_TRUE(
                    refused(type, [&](Pair &pair) { pair.motion[0][8 * row + column][1] = 5; }))
                    << row << column << type;
    for (unsigned block = 0; block < 4; block++)
        for (uint32_t type : {mb_16x8, mb_8x16})
            EXPECT_TRUE(refused(type, [&](Pair &pair) { pair.reference[0][block] = 1; }));
    // What the partitions are there for, and a type that promises nothing.
    EXPECT_FALSE(refused(mb_16x8, [](Pair &pair) {
        for (unsigned at = 0; at < 4; at++)
            pair.motion[0][at][0] = pair.motion[0][8 + at][0] = 5;
        pair.reference[0][0] = pair.reference[0][1] = 1;
    }));
    EXPECT_FALSE(refused(mb_8x16, [](Pair &pair) {
        for (unsigned row = 0; row < 4; row++)
            pair.motion[0][8 * row][0] = pair.motion[0][8 * row + 1][0] = 5;
        pair.reference[0][0] = pair.reference[0][2] = 1;
    }));
    EXPECT_FALSE(refused(0, [](Pair &pair) { pair.motion[0][0][0] = 5; }));
}

// Slices that begin anywhere in two rows of macroblocks: which of the second row's outer edges are
// filtered (8.7). What slices say is worked out once for many macroblocks, so rows are wide.
TEST(H264Strength, SlicesChangeAnywhereInARow) {
    const uint32_t width = 45;
    const std::vector<uint32_t> types(2 * width, 1);
    const std::vector<int8_t> qp(2 * width, 30);
    std::vector<uint16_t> numbers(2 * width);
    std::vector<Slice> slices(3);
    slices[1].disable_deblocking_filter = 2;
    slices[2].filter_offset_a = 2;
    Arrays input;
    input.mb_width = width, input.mb_height = 2, input.mb_stride = width;
    input.mb_type = types.data(), input.qp = qp.data(), input.slice_table = numbers.data();
    input.slices = slices.data(), input.slice_count = slices.size();
    const uint16_t kinds[][3] = {{0, 1, 2},        {0, 1, 1},        {1, 1, 2},       {1, 2, 1},
                                 {no_slice, 0, 2}, {0, no_slice, 1}, {2, 1, no_slice}};
    MacroblockTable packed;
    for (const auto &kind : kinds)
        for (uint32_t first = 0; first < 2 * width; first++)
            for (uint32_t second = first; second < 2 * width; second += 3) {
                for (uint32_t at = 0; at < 2 * width; at++)
                    numbers[at] = kind[(at >= first) + (at >= second)];
                ASSERT_EQ(packed.add_all(input), nullptr);
                for (uint32_t at = width; at < 2 * width; at++) {
                    const uint16_t own = numbers[at];
                    const auto filtered = [&](uint32_t beside) {
                        const uint16_t other = numbers[beside];
                        return own != no_slice && (own == 1 ? other == own : other != no_slice);
                    };
                    const uint32_t bits = packed.macroblocks[at].bits;
                    const auto slice = [&] { // in words
                        std::ostringstream text;
                        text << "slices " << kind[0] << " " << kind[1] << " from " << first << " "
                             << kind[2] << " from " << second << ", macroblock " << at;
                        return text.str();
                    };
                    ASSERT_EQ(bool(bits & MB_FILTERED), own != no_slice) << slice();
                    ASSERT_EQ(bool(bits & MB_FILTER_LEFT), at > width && filtered(at - 1))
                        << slice();
                    ASSERT_EQ(bool(bits & MB_FILTER_TOP), filtered(at - width)) << slice();
                }
            }
}

// A byte of each macroblock names its table.
TEST(H264Strength, AtMost256Tables) {
    std::vector<Slice> slices(257);
    std::vector<uint32_t> types(257, 1);
    std::vector<int8_t> qp(257, 30);
    std::vector<uint16_t> numbers(257);
    for (unsigned i = 0; i < 257; i++) {
        slices[i].chroma_qp_index_offset[0] = int(i % 25) - 12;
        slices[i].filter_offset_a = int(i / 25) - 6;
        numbers[i] = uint16_t(i);
    }
    Arrays input;
    input.mb_width = 256, input.mb_height = 1, input.mb_stride = 257;
    input.mb_type = types.data();
    input.qp = qp.data();
    input.slice_table = numbers.data();
    input.slices = slices.data();
    input.slice_count = slices.size();
    MacroblockTable packed;
    EXPECT_EQ(packed.add_all(input), nullptr);
    EXPECT_EQ(packed.tables.words().size(), 256 * SLICE_TABLE_WORDS);
    EXPECT_EQ(packed.motion_words, 0u);
    input.mb_width = 257;
    EXPECT_NE(packed.add_all(input), nullptr);
}

} // namespace
} // namespace v3doff
