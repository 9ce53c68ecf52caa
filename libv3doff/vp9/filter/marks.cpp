// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/marks.hpp"

#include <iterator>

#include "vp9/block_size.hpp"

namespace v3doff::vp9 {
namespace {

constexpr uint64_t every_row = 0x0101010101010101, every_column = 0xff;

// Every row or column of a superblock up to an end, or one of `step`.
constexpr uint64_t rows(uint32_t end, uint32_t step = 1) {
    uint64_t some = 0;
    for (uint32_t row = 0; row < end; row += step)
        some |= every_column << 8 * row;
    return some;
}
constexpr uint64_t columns(uint32_t end, uint32_t step = 1) {
    uint64_t some = 0;
    for (uint32_t column = 0; column < end; column += step)
        some |= every_row << column;
    return some;
}

// One block as one of the two mask sets sees it. height, width: in units of 8 luma samples.
constexpr FilterEdgeKind find_edges(uint32_t height, uint32_t width, uint32_t tx, bool skipped,
                                    unsigned shift_x, unsigned shift_y, uint64_t (&edges)[2]) {
    // Chroma of blocks below 16x16: the block at the even place stands for two.
    if (shift_y && height == 1) height = 2;
    if (shift_x && width == 1) width = 2;
    edges[0] = edges[1] = rows(height) & columns(width);
    if (skipped || tx) { // transforms of 4x4 have edges everywhere
        edges[0] &= skipped ? columns(1) : columns(8, 1u << (tx + shift_x - 1));
        edges[1] &= skipped ? rows(1) : rows(8, 1u << (tx + shift_y - 1));
    }
    return tx > 1 ? edges_16 : tx ? edges_8 : skipped ? edges_4 : edges_all_4;
}

struct EdgesOfShapes {
    FilterBlockEdges edges[16 * 8];

    constexpr EdgesOfShapes(unsigned shift_x, unsigned shift_y) : edges{} {
        for (uint32_t shape = 0; shape < std::size(block_sizes) * 8; shape++) {
            const uint32_t size = shape / 8, tx = shape % 4;
            const bool skipped = shape & 4;
            const uint32_t height = block_sizes[size].rows(), width = block_sizes[size].columns();
            FilterBlockEdges &of = edges[shape];
            of.fits = tx <= most_tx(size, 0, 0);
            if (!of.fits) continue;
            of.luma_kind = find_edges(height, width, tx, skipped, 0, 0, of.luma);
            if (!(shift_x | shift_y)) continue; // chroma has luma's marks
            of.chroma_kind =
                find_edges(height, width, std::min(tx, most_tx(size, shift_x, shift_y)), skipped,
                           shift_x, shift_y, of.chroma);
            of.none_at =
                uint8_t((shift_x && width == 1 ? 1 : 0) | (shift_y && height == 1 ? 8 : 0));
        }
    }
};
constexpr EdgesOfShapes edges_of_shapes[2][2] = {{{0, 0}, {0, 1}},
                                                 {{1, 0}, {1, 1}}}; // [shift_x][shift_y]

// How edges become masks, by the superblock's place in the picture.
struct Place {
    FilterEdges inside;       // the picture
    FilterEdges wide;         // 4x4 transforms get the 8-wide filter on 32-sample edges only
    FilterEdges tight;        // edges without room for the 16-wide filter
    FilterEdges small, inner; // where 4-wide filters may be, at edges of 4x4 blocks and in them

    Place() = default;
    // height, width: of the picture from the superblock on, in units of 8 luma samples, up to 8.
    Place(uint32_t height, uint32_t width, unsigned shift_x, unsigned shift_y) {
        const uint64_t area = rows(height) & columns(width), none = 0;
        inside = FilterEdges{area, area};
        wide = FilterEdges{columns(8, shift_x ? 8 : 4), rows(8, shift_y ? 8 : 4)};
        // If the number of columns or rows is odd, the last one is half a block of chroma. libvpx
        // leaves out edges between rows there that would end beyond the last whole block.
        const uint64_t half_column = shift_x && width % 2 ? every_row << (width - 1) : 0;
        const uint64_t half_row = shift_y && height % 2 ? every_column << 8 * (height - 1) : 0;
        tight = FilterEdges{half_column, half_row};
        const uint64_t odd_rows = rows(8, 1) ^ rows(8, 2);
        small = inside & ~wide & ~FilterEdges{none, shift_y ? half_column & odd_rows : none};
        inner = FilterEdges{shift_x ? none : area, shift_y ? none : area & ~half_column};
    }
};

// Each size has a byte for each row; mask gets rows with a byte for each size.
void interleave(FilterEdges e16, FilterEdges e8, FilterEdges e4, FilterEdges inner,
                uint8_t (&mask)[2][8][mask_sizes]) {
    using Bytes = uint8_t __attribute__((vector_size(16)));
    using Pairs = uint16_t __attribute__((vector_size(16)));
    const auto low = [](Bytes a, Bytes b) {
        return (Pairs)__builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22,
                                              7, 23);
    };
    const auto high = [](Bytes a, Bytes b) {
        return (Pairs)__builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                                              14, 30, 15, 31);
    };
    const Pairs wide[2] = {low((Bytes)e16, (Bytes)e8), high((Bytes)e16, (Bytes)e8)};
    const Pairs narrow[2] = {low((Bytes)e4, (Bytes)inner), high((Bytes)e4, (Bytes)inner)};
    for (unsigned i = 0; i < 2; i++) {
        const Pairs a = wide[i], b = narrow[i];
        const Pairs half[2] = {__builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11),
                               __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)};
        static_assert(sizeof half == sizeof mask[i]);
        std::memcpy(mask[i], half, sizeof half);
    }
}

void finish_set(uint8_t (&mask)[2][8][mask_sizes], const Place &place) {
    FilterEdges edges[edge_kinds];
    static_assert(sizeof edges == sizeof mask);
    std::memcpy(edges, mask, sizeof edges);
    const FilterEdges e4 = edges[edges_4] | edges[edges_all_4];
    interleave(edges[edges_16] & place.inside & ~place.tight,
               (edges[edges_8] | (e4 & place.wide) | (edges[edges_16] & place.tight)) &
                   place.inside,
               e4 & place.small, edges[edges_all_4] & place.inner, mask);
}

} // namespace

FilterMarks::FilterMarks(const PictureFormat &format, FilterSuperblock *superblocks, uint32_t rows)
    : superblocks_(superblocks),
      of_shape_(edges_of_shapes[format.shift_x(1)][format.shift_y(1)].edges), format_(format),
      cols_((format.width + 63) / 64), end_(rows * 8) {}

// The first block gives the whole superblock its level, so that others of the same level need none.
void FilterMarks::set_level(FilterSuperblock &to, uint32_t row, uint32_t col, uint32_t shape,
                            uint8_t level) {
    if (!to.level[0][0]) {
        std::memset(to.level, level, sizeof to.level);
        return;
    }
    const BlockSize &size = block_sizes[shape / 8];
    for (uint32_t y = row % 8; y < row % 8 + size.rows(); y++)
        std::memset(&to.level[y][col % 8], level, size.columns());
}

void FilterMarks::finish() {
    const unsigned shift_x = format_.shift_x(1), shift_y = format_.shift_y(1);
    const uint32_t width = (format_.width + 7) / 8, height = (format_.height + 7) / 8;
    const uint32_t last_row = (height - 1) / 8, last_col = cols_ - 1;
    const auto place = [&](bool bottom, bool right, unsigned x, unsigned y) {
        return Place(bottom ? height - last_row * 8 : 8, right ? width - last_col * 8 : 8, x, y);
    };
    Place luma[2][2], chroma[2][2];
    for (unsigned i = 0; i < 4; i++) {
        luma[i / 2][i % 2] = place(i / 2, i % 2, 0, 0);
        chroma[i / 2][i % 2] = place(i / 2, i % 2, shift_x, shift_y);
    }
    FilterSuperblock *superblock = superblocks_;
    for (uint32_t row = 0; row < end_ / 8; row++)
        for (uint32_t col = 0; col < cols_; col++, superblock++) {
            finish_set(superblock->mask[0], luma[row == last_row][col == last_col]);
            if (shift_x | shift_y)
                finish_set(superblock->mask[1], chroma[row == last_row][col == last_col]);
        }
}

} // namespace v3doff::vp9
