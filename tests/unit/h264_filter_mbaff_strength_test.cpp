// SPDX-License-Identifier: BSD-2-Clause
// Boundary strengths of MBAFF frames, of the plain reference. `v3doff check` compares them with
// FFmpeg's and the GPU's.
#include <gtest/gtest.h>

#include "generators/h264_filter_strength.hpp"
#include "h264/filter/records.hpp"
#include "h264/filter/strengths.hpp"

namespace v3doff {
namespace {

using namespace h264;
using check::H264Arrays;
using check::H264ArraysShape;
using check::H264Slices;

std::vector<FilterMbaffMb> derive_mbaff(Arrays input) {
    input.mbaff = true;
    MacroblockTable packed;
    EXPECT_EQ(packed.add_all(input), nullptr);
    std::vector<FilterMbaffMb> records(packed.count());
    derive_mbaff_strengths(packed, records.data());
    return records;
}

uint32_t twice(uint32_t nibbles) {
    uint32_t found = 0;
    for (unsigned i = 0; i < 4; i++)
        found |= (nibbles >> (4 * i) & 15) * 0x11 << (8 * i);
    return found;
}

// The outer edge's four strengths out of two words.
uint32_t outer(const uint32_t words[2]) {
    uint32_t found = 0;
    for (unsigned segment = 0; segment < 4; segment++)
        found |= strength_of(words, 0, segment) << (4 * segment);
    return found;
}

// Without field macroblocks an MBAFF frame is filtered as another one.
TEST(H264Strength, MbaffFrameOfFramePairs) {
    H264Arrays::Random random(22);
    for (unsigned i = 0; i < 50; i++) {
        H264ArraysShape shape;
        shape.mb_width = 1 + unsigned(random() % 8);
        shape.mb_height = 2 + 2 * unsigned(random() % 3);
        shape.slices = H264Slices(random() % 3);
        H264Arrays arrays(shape, random);
        Arrays input = arrays.input();
        const std::vector<H264Arrays::Pictures> unused(input.slice_count);
        input.field_pictures = reinterpret_cast<const uint8_t(*)[2][32]>(unused.data());
        MacroblockTable packed;
        EXPECT_EQ(packed.add_all(input), nullptr);
        std::vector<FilterMb> plain(packed.count());
        derive_strengths(packed, plain.data());
        const auto pairs = derive_mbaff(input);
        for (size_t at = 0; at < pairs.size(); at++) {
            const size_t x = at / 2 % shape.mb_width, y = at / 2 / shape.mb_width * 2 + at % 2;
            const FilterMb &expected = plain[y * shape.mb_width + x];
            const FilterMbaffMb &found = pairs[at];
            EXPECT_EQ(found.flags, 0u);
            EXPECT_EQ(found.left, twice(outer(expected.vertical)));
            EXPECT_EQ(found.top, outer(expected.horizontal));
            for (unsigned word = 0; word < 2; word++) {
                EXPECT_EQ(found.vertical[word], expected.vertical[word] & ~0x000f000fu);
                EXPECT_EQ(found.horizontal[word], expected.horizontal[word] & ~0x000f000fu);
            }
            EXPECT_EQ(found.chroma_right, expected.chroma_right & ~0x000f000fu);
            const uint32_t *const planes[3] = {expected.luma, expected.cb, expected.cr};
            for (unsigned plane = 0; plane < 3; plane++) {
                EXPECT_EQ(found.thresholds[plane][0], planes[plane][0]);
                EXPECT_EQ(found.thresholds[plane][2], planes[plane][1]);
                EXPECT_EQ(found.thresholds[plane][4], planes[plane][2]);
            }
        }
    }
}

} // namespace
} // namespace v3doff
