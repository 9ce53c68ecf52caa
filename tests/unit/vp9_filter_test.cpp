// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "vp9/filter/input.hpp"
#include "vp9/filter/order.hpp"

using namespace v3doff;
using namespace v3doff::vp9;

namespace {

FilterWave wave_of(uint32_t width, uint32_t height) {
    return plan_wave((height + 63) / 64, (width + 63) / 64);
}

} // namespace

// A dispatch costs a Raspberry Pi 5 about 55 us: these bounds are what makes the filter pay there.
TEST(FilterSchedule, FewDispatches) {
    EXPECT_LE(wave_of(1280, 720).dispatches, 10u);
    EXPECT_LE(wave_of(1920, 1080).dispatches, 16u);
    EXPECT_LE(wave_of(3840, 2160).dispatches, 31u);
    EXPECT_LE(wave_of(8, 8).dispatches, 1u);
}

// Each superblock row takes every column in exactly one step, and V and H of neighbours keep the
// standard's order: column c of row r comes after column c - 1 of r and column c + 1 of r - 1.
TEST(FilterSchedule, EverySuperblockOnceAndInOrder) {
    for (uint32_t rows : {1u, 2u, 3u, 7u, 17u, 34u})
        for (uint32_t cols : {1u, 2u, 5u, 30u, 60u}) {
            FilterWave wave = plan_wave(rows, cols);
            std::vector<int64_t> when(size_t(rows) * cols, -1);
            for (uint32_t d = 0; d < wave.dispatches; d++)
                for (uint32_t row = 0; row < rows; row++)
                    for (uint32_t step = 0; step < wave.steps; step++) {
                        int64_t col =
                            wave.first_col(d, row / wave.group_rows) + step - row % wave.group_rows;
                        if (col < 0 || col >= cols) continue;
                        auto &at = when[size_t(row) * cols + size_t(col)];
                        EXPECT_EQ(at, -1) << rows << "x" << cols << ": twice";
                        at = int64_t(d) * wave.steps + step;
                    }
            for (uint32_t r = 0; r < rows; r++)
                for (uint32_t c = 0; c < cols; c++) {
                    int64_t at = when[size_t(r) * cols + c];
                    ASSERT_GE(at, 0) << rows << "x" << cols << ": (" << r << ", " << c << ") left";
                    if (c) {
                        EXPECT_GT(at, when[size_t(r) * cols + c - 1]);
                    }
                    // V of the upper right neighbour is in the same step at the latest, before a
                    // barrier; in another workgroup it must be in an earlier dispatch.
                    if (!r || c + 1 >= cols) continue;
                    int64_t above = when[size_t(r - 1) * cols + c + 1];
                    if (r % wave.group_rows) {
                        EXPECT_GE(at, above);
                    } else {
                        EXPECT_GT(at / wave.steps, above / wave.steps);
                    }
                }
        }
}

TEST(FilterInput, MarksOutsideThePictureAreRefused) {
    FilterSuperblock superblock{};
    FilterInput input;
    input.format = {16, 16, 8, V3DOFF_CHROMA_420};
    input.superblocks = &superblock;
    EXPECT_EQ(check_filter(input), nullptr);
    superblock.mask[0][0][0][mask_8] = 1 << 1; // an edge at x = 8: inside
    EXPECT_EQ(check_filter(input), nullptr);
    superblock.mask[0][0][0][mask_8] = 1 << 2; // at x = 16: outside
    EXPECT_NE(check_filter(input), nullptr);
    superblock.mask[0][0][0][mask_8] = 0;
    superblock.mask[0][1][2][mask_8] = 1; // at y = 16
    EXPECT_NE(check_filter(input), nullptr);
    superblock.mask[0][1][2][mask_8] = 0;
    superblock.mask[0][0][0][mask_16] = 1 << 1; // 8 samples on each side fit exactly
    EXPECT_EQ(check_filter(input), nullptr);
    superblock.level[0][1] = 64;
    EXPECT_NE(check_filter(input), nullptr);
}

// One mark at a time: it is accepted where all samples that its edge reads are in the picture's
// whole 8x8 blocks, and where it means nothing.
TEST(FilterInput, EveryMarkIsRefusedExactlyWhereItReadsOutside) {
    for (v3doff_chroma chroma :
         {V3DOFF_CHROMA_420, V3DOFF_CHROMA_422, V3DOFF_CHROMA_440, V3DOFF_CHROMA_444})
        for (uint32_t side = 8; side <= 64; side += 8)
            for (unsigned n = 0; n < 2 * 2 * 8 * mask_sizes * 8; n++) {
                const unsigned bit = n % 8, size = n / 8 % mask_sizes, row = n / 32 % 8;
                const unsigned between_rows = n / 256 % 2, set = n / 512;
                FilterInput input;
                input.format = {side - 3, 72 - side, 10, chroma};
                if (set && !filter_mask_set(input.format, 1)) continue; // not looked at
                std::vector<FilterSuperblock> superblocks(input.cols() * input.rows());
                superblocks[0].mask[set][between_rows][row][size] = uint8_t(1 << bit);
                input.superblocks = superblocks.data();

                const FilterArea area = filter_area(input.format, set);
                const unsigned x = input.format.shift_x(set), y = input.format.shift_y(set);
                const unsigned shift = between_rows ? y : x, shift_along = between_rows ? x : y;
                const unsigned block = between_rows ? row : bit, line = between_rows ? bit : row;
                const uint32_t room = between_rows ? area.height : area.width;
                const uint32_t lines = between_rows ? area.width : area.height;
                const uint32_t at = block * 8 >> shift;
                const bool known = !shift || block % 2 == 0 || size == mask_4;
                const uint32_t reads = size == mask_16 || size == mask_inner ? 8 : 4;
                const bool fits = known && at + reads <= room;
                const bool inside = fits && (line * 8 >> shift_along) < lines;
                // Every second line means nothing; between rows, in a row that may have the edge.
                const bool ignored = (shift && size == mask_inner) ||
                                     (shift_along && line % 2 && (!between_rows || fits));
                EXPECT_EQ(check_filter(input) == nullptr, ignored || inside)
                    << "chroma " << chroma << ", " << side << ": set " << set << " direction "
                    << between_rows << " row " << row << " size " << size << " bit " << bit;
            }
}
