// SPDX-License-Identifier: BSD-2-Clause
// Boundary strengths: what the plain reference derives, against FFmpeg's calls of its edge filters
// on the same arrays.
#include <map>
#include <sstream>
#include <tuple>

#include "generators/h264_filter_strength.hpp"
#include "generators/h264_filter_strength_ffmpeg.hpp"
#include "h264_filter_strength_pair.hpp"

namespace v3doff {
namespace {

using namespace h264;
using check::H264Arrays;
using check::H264ArraysShape;
using check::H264Slices;

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
        Call call{
            int(unpack(thresholds, THRESHOLD_ALPHA)), int(unpack(thresholds, THRESHOLD_BETA)), {}};
        bool any = false;
        for (unsigned segment = 0; segment < 4; segment++) {
            const unsigned strength = strength_of(words, edge, segment);
            any |= strength;
            const int tc0 = strength ? int(unpack_tc0(thresholds, strength)) : -1;
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

} // namespace
} // namespace v3doff
