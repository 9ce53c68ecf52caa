// SPDX-License-Identifier: BSD-2-Clause
// Boundary strengths: what the plain reference derives, against FFmpeg's calls of its edge filters
// on the same arrays, and against the standard where FFmpeg does otherwise.
#include <sstream>

#include <gtest/gtest.h>

#include "generators/h264_filter_strength.hpp"
#include "h264/filter_records.hpp"
#include "h264/filter_strength_reference.hpp"

#ifdef V3DOFF_HAVE_FFDSP
#include <map>
#include <tuple>

#include "generators/h264_filter_strength_ffmpeg.hpp"
#endif

namespace v3doff {
namespace {

using namespace h264;
using check::H264Arrays;
using check::H264ArraysShape;
using check::H264Slices;

std::vector<FilterMb> derive(const StrengthInput &input) {
    PackedStrengths packed;
    EXPECT_EQ(pack_strengths(input, packed), nullptr);
    std::vector<FilterMb> records(packed.count());
    derive_strengths(packed, records.data());
    return records;
}

// Two macroblocks side by side, each 16x16 with one part, without coefficients, at QP 40.
struct Pair {
    uint32_t mb_type[2] = {mb_16x16 | 1 << 12, mb_16x16 | 1 << 12};
    int8_t qp[2] = {40, 40};
    uint16_t slice_table[2] = {0, 0};
    uint8_t non_zero_count[2][48] = {};
    uint16_t cbp[2] = {};
    int16_t motion[2][32][2] = {}; // 8 in a row
    int8_t reference[2][8] = {};
    std::vector<StrengthSlice> slices;

    Pair() {
        StrengthSlice slice{};
        for (unsigned i = 0; i < max_list_entries; i++)
            slice.picture[0][i] = slice.picture[1][i] = uint8_t(i);
        slices.assign(2, slice);
    }
    StrengthInput input() const {
        StrengthInput in;
        in.mb_width = 2, in.mb_height = 1, in.mb_stride = 2;
        in.mb_type = mb_type;
        in.qp = qp;
        in.slice_table = slice_table;
        in.non_zero_count = non_zero_count;
        in.cbp = cbp;
        in.motion_stride = 8, in.motion_mb_stride = 32;
        for (unsigned list = 0; list < 2; list++) {
            in.motion[list] = motion[list];
            in.reference[list] = reference[list];
        }
        in.slices = slices.data();
        in.slice_count = slices.size();
        return in;
    }
    // Of the edge between the two.
    uint32_t between() const { return derive(input())[1].vertical[0] & 15; }
    const char *problem() const {
        PackedStrengths packed;
        return pack_strengths(input(), packed);
    }
};

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
    StrengthInput input = pair.input();
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
    std::vector<StrengthSlice> slices(3);
    slices[1].disable_deblocking_filter = 2;
    slices[2].filter_offset_a = 2;
    StrengthInput input;
    input.mb_width = width, input.mb_height = 2, input.mb_stride = width;
    input.mb_type = types.data(), input.qp = qp.data(), input.slice_table = numbers.data();
    input.slices = slices.data(), input.slice_count = slices.size();
    const uint16_t kinds[][3] = {{0, 1, 2},        {0, 1, 1},        {1, 1, 2},       {1, 2, 1},
                                 {no_slice, 0, 2}, {0, no_slice, 1}, {2, 1, no_slice}};
    PackedStrengths packed;
    for (const auto &kind : kinds)
        for (uint32_t first = 0; first < 2 * width; first++)
            for (uint32_t second = first; second < 2 * width; second += 3) {
                for (uint32_t at = 0; at < 2 * width; at++)
                    numbers[at] = kind[(at >= first) + (at >= second)];
                ASSERT_EQ(pack_strengths(input, packed), nullptr);
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
                    ASSERT_EQ(bool(bits & STRENGTH_FILTERED), own != no_slice) << slice();
                    ASSERT_EQ(bool(bits & STRENGTH_FILTER_LEFT), at > width && filtered(at - 1))
                        << slice();
                    ASSERT_EQ(bool(bits & STRENGTH_FILTER_TOP), filtered(at - width)) << slice();
                }
            }
}

// A byte of each macroblock names its table.
TEST(H264Strength, AtMost256Tables) {
    std::vector<StrengthSlice> slices(257);
    std::vector<uint32_t> types(257, 1);
    std::vector<int8_t> qp(257, 30);
    std::vector<uint16_t> numbers(257);
    for (unsigned i = 0; i < 257; i++) {
        slices[i].chroma_qp_index_offset[0] = int(i % 25) - 12;
        slices[i].filter_offset_a = int(i / 25) - 6;
        numbers[i] = uint16_t(i);
    }
    StrengthInput input;
    input.mb_width = 256, input.mb_height = 1, input.mb_stride = 257;
    input.mb_type = types.data();
    input.qp = qp.data();
    input.slice_table = numbers.data();
    input.slices = slices.data();
    input.slice_count = slices.size();
    PackedStrengths packed;
    EXPECT_EQ(pack_strengths(input, packed), nullptr);
    EXPECT_EQ(packed.tables.words().size(), 256 * STRENGTH_TABLE_WORDS);
    EXPECT_EQ(packed.motion_words, 0u);
    input.mb_width = 257;
    EXPECT_NE(pack_strengths(input, packed), nullptr);
}

#ifdef V3DOFF_HAVE_FFDSP

// Plane, column, row, whether the edge is vertical: of its first sample.
using Place = std::tuple<int, int, int, int>;
struct Call {
    int alpha, beta, tc0[4]; // 100: strength 4
    bool operator==(const Call &) const = default;
};
using Calls = std::map<Place, Call>;

std::ostream &operator<<(std::ostream &out, const Call &call) {
    return out << "alpha " << call.alpha << ", beta " << call.beta << ", tc0 " << call.tc0[0] << " "
               << call.tc0[1] << " " << call.tc0[2] << " " << call.tc0[3];
}

void keep_call(void *calls, int plane, int x, int y, int vertical, int alpha, int beta,
               const int8_t *tc0) {
    Call call{alpha, beta, {100, 100, 100, 100}};
    if (tc0) std::copy(tc0, tc0 + 4, call.tc0);
    const bool first =
        static_cast<Calls *>(calls)->emplace(Place{plane, x, y, vertical}, call).second;
    EXPECT_TRUE(first) << "an edge is filtered twice";
}

class Samples {
  public:
    Samples(const H264Arrays &arrays) {
        const auto &shape = arrays.shape();
        stride_ = shape.mb_width * 32;
        bytes_.resize(size_t(stride_) * shape.mb_height * 32 * 3 + 64);
        base_ = reinterpret_cast<uint8_t *>((uintptr_t(bytes_.data()) + 63) & ~uintptr_t(63));
        plane_ = size_t(stride_) * shape.mb_height * 32;
    }
    uint8_t *plane(unsigned n) { return base_ + n * plane_; }
    ptrdiff_t stride() const { return stride_; }

  private:
    ptrdiff_t stride_;
    size_t plane_;
    std::vector<uint8_t> bytes_;
    uint8_t *base_;
};

Calls ffmpeg_calls(H264Arrays &arrays, int chroma_format_idc, bool simd) {
    check::FfmpegInput input(arrays, chroma_format_idc);
    Samples samples(arrays);
    FfdspFilter &filter = input.filter;
    filter.stride[0] = filter.stride[1] = samples.stride();
    for (unsigned plane = 0; plane < 3; plane++)
        filter.data[plane] = samples.plane(plane);
    Calls calls;
    EXPECT_EQ(ffdsp_filter_picture(&filter, simd, keep_call, &calls), 0);
    return calls;
}

// What calls the records stand for.
class Expected {
  public:
    Expected(const H264Arrays &arrays, int chroma_format_idc) : format_(chroma_format_idc) {
        const auto records = derive(arrays.input());
        for (size_t i = 0; i < records.size(); i++)
            add(records[i], int(i % arrays.shape().mb_width), int(i / arrays.shape().mb_width));
    }
    Calls calls;

  private:
    void add(const FilterMb &mb, int x, int y) {
        const uint32_t chroma[2] = {mb.chroma_left, mb.chroma_right};
        const uint32_t *const thresholds[3] = {mb.luma, mb.cb, mb.cr};
        for (int plane = 0; plane < (format_ ? 3 : 1); plane++) {
            const bool halved = plane && format_ < 3;
            const int width = halved ? 8 : 16, height = plane && format_ == 1 ? 8 : 16;
            for (int vertical = 0; vertical < 2; vertical++) {
                const uint32_t *words = vertical ? mb.vertical : halved ? chroma : mb.horizontal;
                const int edges = (vertical ? width : height) / 4;
                for (int edge = 0; edge < edges; edge++)
                    add_edge({plane, x * width + (vertical ? edge * 4 : 0),
                              y * height + (vertical ? 0 : edge * 4), vertical},
                             words, unsigned(edge * 4 / edges),
                             thresholds[plane][edge       ? 2
                                               : vertical ? 0
                                                          : 1],
                             halved);
            }
        }
    }

    void add_edge(const Place &place, const uint32_t *words, unsigned edge, uint32_t thresholds,
                  bool chroma) {
        Call call{int(thresholds & 255), int(thresholds >> 8 & 255), {}};
        bool any = false;
        for (unsigned segment = 0; segment < 4; segment++) {
            const unsigned strength = strength_of(words, edge, segment);
            any |= strength;
            const int tc0 = strength ? int(thresholds >> (11 + 5 * strength) & 31) : -1;
            call.tc0[segment] = strength == 4 ? 100 : tc0 + chroma;
        }
        if (any && thresholds) calls.emplace(place, call);
    }

    int format_;
};

// The first difference, in words; empty: none.
std::string difference(const Calls &expected, const Calls &found) {
    std::ostringstream text;
    for (const auto &[place, call] : expected) {
        const auto other = found.find(place);
        if (other != found.end() && other->second == call) continue;
        const auto [plane, x, y, vertical] = place;
        text << "plane " << plane << " (" << x << ", " << y << ")"
             << (vertical ? " vertical: " : " horizontal: ") << call << "; FFmpeg: ";
        if (other == found.end()) return text.str() + "not filtered";
        text << other->second;
        return text.str();
    }
    for (const auto &[place, call] : found)
        if (!expected.count(place)) {
            const auto [plane, x, y, vertical] = place;
            text << "plane " << plane << " (" << x << ", " << y << ")"
                 << (vertical ? " vertical" : " horizontal") << ": FFmpeg filters with " << call;
            return text.str();
        }
    return "";
}

H264ArraysShape random_shape(H264Arrays::Random &random) {
    H264ArraysShape shape;
    const auto below = [&](uint32_t bound) { return uint32_t(random() % bound); };
    shape.mb_width = 1 + below(below(8) ? 9 : 40);
    shape.mb_height = 1 + below(7);
    shape.structure = below(2) ? 3 : 1 + below(2);
    const unsigned depths[] = {8, 9, 10, 12, 14};
    shape.bit_depth = below(3) ? 8 : depths[below(5)];
    shape.cabac = below(2);
    shape.slices = H264Slices(below(3));
    if (below(2))
        for (int &offset : shape.chroma_qp_index_offset)
            offset = int(below(25)) - 12;
    return shape;
}

TEST(H264Strength, AsFfmpegOnRandomPictures) {
    H264Arrays::Random random(20);
    size_t edges = 0;
    for (unsigned i = 0; i < 1500; i++) {
        H264Arrays arrays(random_shape(random), random);
        const int format = int(random() % 4);
        const Expected expected(arrays, format);
        // FFmpeg's C code filters Cb and Cr with an offset each, its SIMD path is used where they
        // have the same.
        for (bool simd : {false, true}) {
            const Calls found = ffmpeg_calls(arrays, format, simd);
            ASSERT_EQ(difference(expected.calls, found), "")
                << "picture " << i << ", SIMD " << simd << ", 4:x:x format " << format;
        }
        edges += expected.calls.size();
    }
    EXPECT_GT(edges, 100000u);
}

TEST(H264Strength, WrongStrengthsAreNoticed) {
    H264Arrays::Random random(21);
    H264ArraysShape shape;
    shape.mb_width = 8, shape.mb_height = 6;
    H264Arrays arrays(shape, random);
    Expected expected(arrays, 1);
    expected.calls.begin()->second.tc0[2]++;
    EXPECT_NE(difference(expected.calls, ffmpeg_calls(arrays, 1, false)), "");
}

#endif

} // namespace
} // namespace v3doff
