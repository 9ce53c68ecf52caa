// SPDX-License-Identifier: BSD-2-Clause
#include "picture/format.hpp"

#include <gtest/gtest.h>

using namespace v3doff;

namespace {

constexpr v3doff_chroma chromas[] = {V3DOFF_CHROMA_400, V3DOFF_CHROMA_420, V3DOFF_CHROMA_422,
                                     V3DOFF_CHROMA_444, V3DOFF_CHROMA_440};

// Every plane holds its padded samples, is aligned, and does not touch the next.
void expect_sound(const PictureFormat &format) {
    SCOPED_TRACE(testing::Message() << format.width << "x" << format.height << " "
                                    << format.bit_depth << " bit, chroma " << format.chroma);
    PictureLayout layout = lay_out(format);
    size_t end = 0;
    for (unsigned p = 0; p < format.planes(); p++) {
        const PlaneLayout &plane = layout.plane[p];
        EXPECT_GE(plane.offset, end);
        EXPECT_EQ(plane.offset % 64, 0u);
        EXPECT_EQ(plane.stride % 64, 0u);
        EXPECT_EQ(plane.padded_width % 4, 0u);
        EXPECT_GE(plane.padded_width, plane.width);
        EXPECT_GE(plane.padded_height, plane.height);
        EXPECT_GE(plane.stride, size_t(plane.padded_width) * format.sample_bytes());
        end = plane.offset + plane.stride * plane.padded_height + 64;
    }
    EXPECT_GE(layout.bytes, end);
}

} // namespace

TEST(PictureFormat, LayoutIsSoundForAllFormats) {
    const uint32_t sides[] = {1, 2, 3, 7, 8, 63, 64, 65, 351, 1080, 1920, 4097, 16383, 16384};
    for (uint32_t width : sides)
        for (uint32_t height : sides)
            for (uint32_t depth = 8; depth <= 14; depth++)
                for (v3doff_chroma chroma : chromas)
                    expect_sound({width, height, depth, chroma});
}

TEST(PictureFormat, ChromaRoundsUp) {
    PictureFormat format{351, 289, 8, V3DOFF_CHROMA_420};
    EXPECT_EQ(format.plane_width(0), 351u);
    EXPECT_EQ(format.plane_width(1), 176u);
    EXPECT_EQ(format.plane_height(2), 145u);
    format.chroma = V3DOFF_CHROMA_422;
    EXPECT_EQ(format.plane_width(1), 176u);
    EXPECT_EQ(format.plane_height(1), 289u);
    format.chroma = V3DOFF_CHROMA_440;
    EXPECT_EQ(format.plane_width(1), 351u);
    EXPECT_EQ(format.plane_height(1), 145u);
}

TEST(PictureFormat, LargestPictureDoesNotOverflow) {
    PictureLayout layout = lay_out({16384, 16384, 14, V3DOFF_CHROMA_444});
    EXPECT_GE(layout.bytes, size_t(3) * 2 * 16384 * 16384);
    EXPECT_LT(layout.bytes / 4, size_t(UINT32_MAX)); // shaders count words in 32 bits
}
