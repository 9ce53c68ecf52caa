// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/input.hpp"

#include <cstring>
#include <iterator>

namespace v3doff::vp9 {
namespace {

using MaskRow = uint8_t[mask_sizes];

// The marks that are allowed along one axis if `room` samples of the plane are left there: a bit
// for each 8 luma samples and each EdgeMask.
struct AllowedUnits {
    uint8_t mask[mask_sizes] = {};
    AllowedUnits(uint32_t room, unsigned shift) {
        for (unsigned bit = 0; bit < 8; bit++) {
            const uint32_t at = bit * 8 >> shift;
            const bool half = shift && bit % 2; // stands for a 4-sample edge inside a block of 8
            mask[mask_16] |= (!half && at + 8 <= room) << bit;
            mask[mask_8] |= (!half && at + 4 <= room) << bit;
            mask[mask_4] |= (at + 4 <= room) << bit;
            mask[mask_inner] |= (!shift && at + 8 <= room) << bit;
        }
    }
};

// The lines that may have edges: blocks of 8 lines that begin inside. Odd bits of a subsampled
// axis mean nothing.
uint8_t allowed_lines(uint32_t room, unsigned shift) {
    unsigned lines = 0;
    for (unsigned bit = 0; bit < 8; bit++)
        lines |= ((shift && bit % 2) || bit * 8 >> shift < room) << bit;
    return uint8_t(lines);
}

// The marks of one mask that a superblock may have. A superblock that the picture's right or bottom
// edge cuts may have fewer than others.
struct AllowedMarks {
    MaskRow row[2][8] = {};

    AllowedMarks(uint32_t width, uint32_t height, unsigned shift_x, unsigned shift_y) {
        const AllowedUnits x(width, shift_x), y(height, shift_y);
        const uint8_t columns = allowed_lines(width, shift_x);
        const uint8_t rows = allowed_lines(height, shift_y);
        for (unsigned r = 0; r < 8; r++) {
            for (unsigned size = 0; size < mask_sizes; size++) {
                const bool ignored = shift_y && r % 2;
                row[0][r][size] = ignored ? 0xff : rows >> r & 1 ? x.mask[size] : 0;
                row[1][r][size] = y.mask[size] >> r & 1 ? columns : 0;
            }
            // Inner edges along a subsampled axis are ignored.
            if (shift_x) row[0][r][mask_inner] = 0xff;
            if (shift_y) row[1][r][mask_inner] = 0xff;
        }
    }

    bool hold(const uint8_t (&mask)[2][8][mask_sizes]) const {
        uint64_t bad = 0;
        for (unsigned at = 0; at < sizeof(mask); at += sizeof(bad)) {
            uint64_t marks, allowed;
            std::memcpy(&marks, &mask[0][0][0] + at, sizeof marks);
            std::memcpy(&allowed, &row[0][0][0] + at, sizeof allowed);
            bad |= marks & ~allowed;
        }
        return !bad;
    }
};

bool levels_in_range(const FilterSuperblock &sb) {
    uint64_t all = 0;
    for (const auto &row : sb.level) {
        uint64_t levels;
        std::memcpy(&levels, row, sizeof levels);
        all |= levels;
    }
    return !(all & 0xc0c0c0c0c0c0c0c0u);
}

// Blocks without edges may have any level, so a row may be valid although not all its levels are.
bool marked_levels_in_range(const FilterSuperblock &sb, unsigned set, unsigned shift_x,
                            unsigned shift_y) {
    for (unsigned r = 0; r < 8; r++) {
        for (unsigned between_rows = 0; between_rows < 2; between_rows++) {
            if (shift_y && !between_rows && r % 2) continue;
            const MaskRow &row = sb.mask[set][between_rows][r];
            unsigned marks = row[mask_16] | row[mask_8] | row[mask_4];
            if (!(between_rows ? shift_y : shift_x)) marks |= row[mask_inner];
            if (shift_x && between_rows) marks &= 0x55;
            for (unsigned bit = 0; bit < 8; bit++)
                if (marks >> bit & 1 && sb.level[r & ~shift_y][bit & ~shift_x] > 63) return false;
        }
    }
    return true;
}

bool format_supported(const PictureFormat &format) {
    const uint32_t depth = format.bit_depth;
    return format.width && format.height && format.width <= max_picture_side &&
           format.height <= max_picture_side && (depth == 8 || depth == 10 || depth == 12);
}

// For a set of masks. First index: whether the picture's bottom edge cuts the superblock; second
// index: whether the right edge does.
struct AllowedSet {
    AllowedMarks at[2][2];

    AllowedSet(const FilterInput &input, unsigned shift_x, unsigned shift_y)
        : AllowedSet(room(input.format.width, input.cols() - 1, shift_x),
                     room(input.format.height, input.rows() - 1, shift_y), shift_x, shift_y) {}

  private:
    AllowedSet(uint32_t width, uint32_t height, unsigned x, unsigned y)
        : at{{{64u >> x, 64u >> y, x, y}, {width, 64u >> y, x, y}},
             {{64u >> x, height, x, y}, {width, height, x, y}}} {}
    static uint32_t room(uint32_t size, uint32_t blocks, unsigned shift) {
        return (((size + 7) & ~7u) - blocks * 64) >> shift;
    }
};

const char *check_set(const FilterInput &input, unsigned set, unsigned shift_x, unsigned shift_y) {
    const uint32_t last_row = input.rows() - 1, last_col = input.cols() - 1;
    const AllowedSet allowed(input, shift_x, shift_y);
    for (uint32_t row = 0; row <= last_row; row++) {
        for (uint32_t col = 0; col <= last_col; col++) {
            const FilterSuperblock &sb = input.at(row, col);
            if (!allowed.at[row == last_row][col == last_col].hold(sb.mask[set]))
                return "a loop filter mask marks an edge outside of the picture";
            if (!levels_in_range(sb) && !marked_levels_in_range(sb, set, shift_x, shift_y))
                return "a loop filter level is above 63";
        }
    }
    return nullptr;
}

// The union of all superblocks of a kind. If nothing is wrong with the union, nothing is wrong with
// any of them. That is nearly always so, and takes a third of the time.
struct Overlay {
    using Words = uint64_t __attribute__((vector_size(16))); // of a register
    Words words[sizeof(FilterSuperblock) / sizeof(Words)] = {};

    void add(const FilterSuperblock *first, uint32_t count) {
        Overlay sum = *this;
        for (uint32_t n = 0; n < count; n++)
            for (size_t i = 0; i < std::size(words); i++) {
                Words more;
                std::memcpy(&more, reinterpret_cast<const Words *>(first + n) + i, sizeof more);
                sum.words[i] |= more;
            }
        *this = sum;
    }
    FilterSuperblock superblock() const {
        FilterSuperblock sb;
        static_assert(sizeof words == sizeof sb);
        std::memcpy(&sb, words, sizeof sb);
        return sb;
    }
};

bool surely_right(const FilterInput &input, unsigned shift_x, unsigned shift_y) {
    const uint32_t last_row = input.rows() - 1, last_col = input.cols() - 1;
    Overlay overlay[2][2];
    for (uint32_t row = 0; row <= last_row; row++) {
        const FilterSuperblock *line = &input.at(row, 0);
        overlay[row == last_row][0].add(line, last_col);
        overlay[row == last_row][1].add(line + last_col, 1);
    }
    const AllowedSet luma(input, 0, 0), chroma(input, shift_x, shift_y);
    for (unsigned i = 0; i < 4; i++) {
        const FilterSuperblock all = overlay[i / 2][i % 2].superblock();
        if (!levels_in_range(all) || !luma.at[i / 2][i % 2].hold(all.mask[0])) return false;
        if ((shift_x | shift_y) && !chroma.at[i / 2][i % 2].hold(all.mask[1])) return false;
    }
    return true;
}

} // namespace

const char *check_filter(const FilterInput &input) {
    const PictureFormat &format = input.format;
    if (!format_supported(format)) return "the loop filter does not know this picture format";
    if (input.sharpness > 7) return "the loop filter's sharpness is above 7";
    const unsigned last = format.planes() - 1, x = format.shift_x(last), y = format.shift_y(last);
    if (surely_right(input, x, y)) return nullptr;
    if (const char *problem = check_set(input, 0, 0, 0)) return problem;
    return x | y ? check_set(input, 1, x, y) : nullptr;
}

} // namespace v3doff::vp9
