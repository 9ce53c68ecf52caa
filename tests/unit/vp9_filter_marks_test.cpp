// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/marks.hpp"

#include <bit>
#include <cstring>
#include <gtest/gtest.h>

#include "generators/vp9_filter.hpp"
#include "vp9/block_size.hpp"

using namespace v3doff;
using namespace v3doff::vp9;

namespace {

PictureFormat format_of(std::mt19937 &random) {
    return {uint32_t(1 + random() % 260), uint32_t(1 + random() % 260), 8,
            v3doff_chroma(V3DOFF_CHROMA_420 + random() % 4)};
}

uint32_t shape_of(const check::FilterBlock &block) {
    const auto log2 = [](unsigned edge) { return 3 + std::countr_zero(edge); };
    uint32_t size = 0;
    while (block_sizes[size].width_log2 != log2(block.width) ||
           block_sizes[size].height_log2 != log2(block.height))
        size++;
    return size << 3 | uint32_t(block.skipped) << 2 | block.tx;
}

// Blocks of level 0 have no edges, so they may have any level.
bool has_levels_of(const FilterSuperblock &made, const FilterSuperblock &plain) {
    for (unsigned i = 0; i < 64; i++)
        if (plain.level[i / 8][i % 8] && plain.level[i / 8][i % 8] != made.level[i / 8][i % 8])
            return false;
    return true;
}

} // namespace

// Every block size, transform size, chroma format, and odd size, also with rows that are left out.
TEST(FilterMarks, AreThoseOfThePlainRules) {
    std::mt19937 random(9);
    for (int i = 0; i < 2000; i++) {
        const PictureFormat format = format_of(random);
        const uint32_t cols = (format.width + 63) / 64, rows = (format.height + 63) / 64;
        const uint32_t filtered = 1 + uint32_t(random() % rows);
        std::vector<FilterSuperblock> plain(size_t(cols) * rows), made(size_t(cols) * filtered);
        FilterMarks marks(format, made.data(), filtered);
        for (const auto &block : check::random_blocks(format, check::random_mix(random), random)) {
            check::mark_block(format, block, plain[block.row / 8 * cols + block.col / 8]);
            if (!marks.has_row(block.row)) continue;
            ASSERT_TRUE(marks.add(block.row, block.col, shape_of(block), uint8_t(block.level)));
        }
        marks.finish();
        for (size_t n = 0; n < made.size(); n++)
            ASSERT_TRUE(!std::memcmp(made[n].mask, plain[n].mask, sizeof made[n].mask) &&
                        has_levels_of(made[n], plain[n]))
                << format.width << "x" << format.height << ", chroma " << format.chroma
                << ", superblock " << n;
    }
}

// Words can also have blocks that no stream has. The marks are not checked again.
TEST(FilterMarks, OfAnyBlocksAreInsideThePicture) {
    std::mt19937 random(10);
    for (int i = 0; i < 500; i++) {
        const PictureFormat format = format_of(random);
        FilterInput input{format, 0, nullptr};
        std::vector<FilterSuperblock> made(size_t(input.cols()) * input.rows());
        FilterMarks marks(format, made.data(), input.rows());
        for (int n = 0; n < 100; n++) {
            const uint32_t size = random() % std::size(block_sizes),
                           shape = size << 3 | random() % 8;
            const uint32_t row =
                random() % ((format.height + 7) / 8) & ~(block_sizes[size].rows() - 1);
            const uint32_t col =
                random() % ((format.width + 7) / 8) & ~(block_sizes[size].columns() - 1);
            marks.add(row, col, shape, uint8_t(random() % 64));
        }
        marks.finish();
        input.superblocks = made.data();
        ASSERT_EQ(check_filter(input), nullptr)
            << format.width << "x" << format.height << ", chroma " << format.chroma;
    }
}

// Words can have any transform size. Edges of those that do not fit might be outside the picture.
TEST(FilterMarks, TransformsThatDoNotFit) {
    FilterSuperblock superblock{};
    FilterMarks marks({64, 64, 8, V3DOFF_CHROMA_420}, &superblock, 1);
    const auto fits = [&](uint32_t size, uint32_t tx) {
        return marks.add(0, 0, size << 3 | tx, 1);
    };
    EXPECT_TRUE(fits(0, 3));
    EXPECT_TRUE(fits(9, 1));
    EXPECT_FALSE(fits(9, 2));
    EXPECT_FALSE(fits(5, 3));
    EXPECT_FALSE(fits(12, 1));
}
