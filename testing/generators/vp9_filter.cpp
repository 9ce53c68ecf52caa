// SPDX-License-Identifier: BSD-2-Clause
#include "generators/vp9_filter.hpp"

#include <algorithm>
#include <cstring>

namespace v3doff::check {
namespace {

using vp9::FilterSuperblock;
using Marks = uint8_t[2][8][vp9::mask_sizes];

// One block seen from one of the two mask sets.
struct Marker {
    Marks &marks;
    unsigned shift_x, shift_y;
    unsigned row, col, height, width; // inside the superblock, cut at the picture's edge
    bool odd_right, odd_bottom;       // ends at the edge of a picture of odd size
    unsigned tx;

    void left(unsigned y, unsigned x, vp9::EdgeMask size) { marks[0][y][size] |= 1u << x; }
    void above(unsigned y, unsigned x, vp9::EdgeMask size) { marks[1][y][size] |= 1u << x; }

    // 4x4 transforms get the 8-wide filter on 32-sample edges only.
    vp9::EdgeMask small(unsigned at, unsigned shift) const {
        return at % (shift ? 8 : 4) ? vp9::mask_4 : vp9::mask_8;
    }

    // Chroma of blocks below 16x16: the block at the even place stands for two.
    bool join_small_chroma() {
        if (tx || !(shift_x | shift_y)) return true;
        if (shift_y && height == 1) {
            if (row % 2) return false;
            height += !odd_bottom;
        }
        if (shift_x && width == 1) {
            if (col % 2) return false;
            width += !odd_right;
        }
        return true;
    }

    void all_4x4() {
        for (unsigned y = row; y < row + height; y++) {
            for (unsigned x = col; x < col + width; x++) {
                // libvpx leaves out what would end beyond the last whole chroma block.
                const bool last_odd = odd_right && shift_x && x == col + width - 1;
                left(y, x, small(x, shift_x));
                if (!shift_x) left(y, x, vp9::mask_inner);
                if (!(last_odd && shift_y && y % 2)) above(y, x, small(y, shift_y));
                if (!shift_y && !last_odd) above(y, x, vp9::mask_inner);
            }
        }
    }

    // Transform edges inside and round a block. At an odd edge of the picture there is no room
    // for the 16-wide filter in chroma.
    void all_transforms() {
        const vp9::EdgeMask size = tx == 1 ? vp9::mask_8 : vp9::mask_16;
        const unsigned step_x = 1u << (tx + shift_x - 1), step_y = 1u << (tx + shift_y - 1);
        for (unsigned y = 0; y < height; y++) {
            for (unsigned x = 0; x < width; x++) {
                const bool tight_x = shift_x && width % 2 && x == width - 1;
                const bool tight_y = shift_y && height % 2 && y == height - 1;
                if ((col + x) % step_x == 0) left(row + y, col + x, tight_x ? vp9::mask_8 : size);
                if (y % step_y == 0) above(row + y, col + x, tight_y ? vp9::mask_8 : size);
            }
        }
    }

    void outline() {
        const vp9::EdgeMask size = tx == 1 ? vp9::mask_8 : vp9::mask_16;
        const bool thin_x = shift_x && width == 1, thin_y = shift_y && height == 1;
        for (unsigned y = row; y < row + height; y++)
            left(y, col, !tx ? small(col, shift_x) : thin_x ? vp9::mask_8 : size);
        for (unsigned x = col; x < col + width; x++)
            above(row, x, !tx ? small(row, shift_y) : thin_y ? vp9::mask_8 : size);
    }

    void mark(bool skipped) {
        if (!join_small_chroma()) return;
        if (skipped)
            outline();
        else if (tx)
            all_transforms();
        else
            all_4x4();
    }
};

struct Blocks {
    unsigned cols, rows;
};
Blocks blocks_of(const PictureFormat &format) {
    return {(format.width + 7) / 8, (format.height + 7) / 8};
}

bool percent(std::mt19937 &random, unsigned chance) {
    return random() % 100 < chance;
}

class Partition {
  public:
    Partition(const FilterMix &mix, std::mt19937 &random, Blocks size,
              std::vector<FilterBlock> &out)
        : mix_(mix), random_(random), out_(out), size_(size) {
        level_ = any_level();
    }

    void split(unsigned row, unsigned col, unsigned size) {
        if (row >= size_.rows || col >= size_.cols) return;
        const unsigned half = size / 2;
        const bool no_row = row + half >= size_.rows, no_col = col + half >= size_.cols;
        if (size > 1 && ((no_row && no_col) || percent(random_, mix_.split))) {
            for (unsigned part = 0; part < 4; part++)
                split(row + part / 2 * half, col + part % 2 * half, half);
            return;
        }
        const unsigned shape = random_() % 4;
        if (size > 1 && (no_row || (shape == 0 && !no_col))) {
            block(row, col, half, size);
            if (!no_row) block(row + half, col, half, size);
        } else if (size > 1 && (no_col || shape == 1)) {
            block(row, col, size, half);
            if (!no_col) block(row, col + half, size, half);
        } else {
            block(row, col, size, size);
        }
    }

  private:
    unsigned any_level() {
        return mix_.level_low + random_() % (mix_.level_high - mix_.level_low + 1);
    }

    void block(unsigned row, unsigned col, unsigned height, unsigned width) {
        const unsigned edge = std::min(height, width);
        unsigned tx = edge >= 4 ? 3 : edge; // 32x32, 16x16, 8x8
        while (tx && percent(random_, tx == 1 ? mix_.tx4 : mix_.smaller))
            tx--;
        FilterBlock block{row, col, height, width, tx, percent(random_, mix_.skipped), 0};
        const unsigned level = mix_.one_level ? level_ : any_level();
        if (!percent(random_, mix_.unfiltered)) block.level = level;
        out_.push_back(block);
    }

    const FilterMix &mix_;
    std::mt19937 &random_;
    std::vector<FilterBlock> &out_;
    const Blocks size_;
    unsigned level_;
};

// Marks of one plane's mask set in one superblock.
void wild_marks(const PictureFormat &format, unsigned plane, uint32_t row, uint32_t col,
                unsigned density, Marks &marks, std::mt19937 &random) {
    const vp9::FilterArea area = vp9::filter_area(format, plane);
    const uint32_t room[2] = {area.width - (col * 64 >> format.shift_x(plane)),
                              area.height - (row * 64 >> format.shift_y(plane))};
    const unsigned shift[2] = {format.shift_x(plane), format.shift_y(plane)};
    for (unsigned direction = 0; direction < 2; direction++)
        for (unsigned unit = 0; unit < 8; unit++)
            for (unsigned line = 0; line < 8; line++) {
                const unsigned across = direction, along = !direction;
                const uint32_t at = unit * 8 >> shift[across];
                if (shift[along] && line % 2) continue;
                if (line * 8u >> shift[along] >= room[along]) continue;
                for (unsigned size = 0; size < vp9::mask_sizes; size++) {
                    const bool wide = size == vp9::mask_16, inner = size == vp9::mask_inner;
                    if (at + (wide || inner ? 8 : 4) > room[across]) continue;
                    if (shift[across] && (inner || (unit % 2 && size != vp9::mask_4))) continue;
                    if (percent(random, density))
                        marks[direction][direction ? unit : line][size] |=
                            1u << (direction ? line : unit);
                }
            }
}

template <typename Sample>
void fill(const PlaneView &plane, unsigned depth, std::mt19937 &random) {
    const uint32_t width = plane.padded_width, height = plane.padded_height;
    const int max = (1 << depth) - 1, scale = 1 << (depth - 8);
    for (uint32_t top = 0; top < height; top += 16) {
        for (uint32_t left = 0; left < width; left += 16) {
            const int kind = int(random() % 8);
            const int base = kind == 0 ? 0 : kind == 1 ? max : int(random() % unsigned(max + 1));
            const int noise_range[] = {1, 1, 2, 3, 5, 12, 40, 300};
            const int noise = noise_range[random() % 8] * (random() % 4 ? scale : 1);
            const int slope_x = int(random() % 5) - 2, slope_y = int(random() % 5) - 2;
            const int near = random() % 2 ? 128 * scale : base; // neighbours that resemble
            for (uint32_t y = top; y < std::min(top + 16, height); y++) {
                Sample *row = reinterpret_cast<Sample *>(plane.data + ptrdiff_t(y) * plane.stride);
                for (uint32_t x = left; x < std::min(left + 16, width); x++) {
                    const int drift =
                        (slope_x * int(x - left) + slope_y * int(y - top)) * scale / 4;
                    const int value = near + drift + int(random() % unsigned(noise)) - noise / 2;
                    row[x] = Sample(std::clamp(value, 0, max));
                }
            }
        }
    }
}

} // namespace

unsigned chroma_tx(const PictureFormat &format, const FilterBlock &block) {
    const bool narrow = format.shift_x(1) && block.width * 2 == 1u << block.tx;
    const bool low = format.shift_y(1) && block.height * 2 == 1u << block.tx;
    return block.tx - (narrow || low);
}

void mark_block(const PictureFormat &format, const FilterBlock &block,
                FilterSuperblock &superblock) {
    if (!block.level) return;
    const Blocks size = blocks_of(format);
    const unsigned row = block.row % 8, col = block.col % 8;
    for (unsigned y = row; y < row + block.height; y++)
        std::memset(&superblock.level[y][col], int(block.level), block.width);
    const unsigned height = std::min(block.height, size.rows - block.row);
    const unsigned width = std::min(block.width, size.cols - block.col);
    const bool odd_right = size.cols % 2 && block.col + block.width >= size.cols;
    const bool odd_bottom = size.rows % 2 && block.row + block.height >= size.rows;
    Marker{superblock.mask[0], 0, 0, row, col, height, width, false, false, block.tx}.mark(
        block.skipped);
    if (!(format.shift_x(1) | format.shift_y(1))) return;
    Marker{superblock.mask[1], format.shift_x(1), format.shift_y(1),       row, col, height, width,
           odd_right,          odd_bottom,        chroma_tx(format, block)}
        .mark(block.skipped);
}

FilterMix random_mix(std::mt19937 &random) {
    FilterMix mix;
    mix.split = random() % 101;
    mix.smaller = random() % 101;
    mix.tx4 = random() % 101;
    mix.skipped = random() % 101;
    mix.unfiltered = random() % 3 ? 0 : random() % 30;
    mix.level_low = 1 + random() % 63;
    mix.level_high = mix.level_low + random() % (64 - mix.level_low);
    mix.one_level = random() % 2;
    return mix;
}

std::vector<FilterBlock> random_blocks(const PictureFormat &format, const FilterMix &mix,
                                       std::mt19937 &random) {
    const Blocks size = blocks_of(format);
    std::vector<FilterBlock> out;
    Partition partition(mix, random, size, out);
    for (unsigned row = 0; row < size.rows; row += 8)
        for (unsigned col = 0; col < size.cols; col += 8)
            partition.split(row, col, 8);
    return out;
}

std::vector<FilterSuperblock> random_superblocks(const PictureFormat &format, const FilterMix &mix,
                                                 std::mt19937 &random) {
    const Blocks size = blocks_of(format);
    const unsigned cols = (size.cols + 7) / 8, rows = (size.rows + 7) / 8;
    std::vector<FilterSuperblock> out(size_t(cols) * rows);
    for (FilterSuperblock &sb : out) {
        std::memset(&sb, 0, sizeof sb);
        for (auto &levels : sb.level)
            for (uint8_t &level : levels)
                level = uint8_t(random());
    }
    for (const FilterBlock &block : random_blocks(format, mix, random))
        mark_block(format, block, out[size_t(block.row / 8) * cols + block.col / 8]);
    return out;
}

std::vector<FilterSuperblock> wild_superblocks(const PictureFormat &format, unsigned density,
                                               std::mt19937 &random) {
    const Blocks size = blocks_of(format);
    const uint32_t cols = (size.cols + 7) / 8, rows = (size.rows + 7) / 8;
    std::vector<FilterSuperblock> out(size_t(cols) * rows);
    for (uint32_t i = 0; i < out.size(); i++) {
        std::memset(&out[i], 0, sizeof out[i]);
        for (auto &levels : out[i].level)
            for (uint8_t &level : levels)
                level = uint8_t(random() % 8 ? random() % 64 : 0);
        wild_marks(format, 0, i / cols, i % cols, density, out[i].mask[0], random);
        if (format.shift_x(1) | format.shift_y(1))
            wild_marks(format, 1, i / cols, i % cols, density, out[i].mask[1], random);
    }
    return out;
}

void random_samples(const PlaneView &plane, unsigned bit_depth, std::mt19937 &random) {
    if (bit_depth > 8)
        fill<uint16_t>(plane, bit_depth, random);
    else
        fill<uint8_t>(plane, bit_depth, random);
}

} // namespace v3doff::check
