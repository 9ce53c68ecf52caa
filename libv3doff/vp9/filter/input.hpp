// SPDX-License-Identifier: BSD-2-Clause
// The input of a picture's VP9 loop filter: levels and edge masks of each superblock. The layout is
// that of FFmpeg's VP9Filter, so that a decoder's arrays are taken as they are.
#pragma once

#include <algorithm>
#include <cstdint>

#include "picture/format.hpp"

namespace v3doff::vp9 {

enum EdgeMask : unsigned { mask_16, mask_8, mask_4, mask_inner, mask_sizes };

struct FilterSuperblock {
    uint8_t level[8][8]; // of each 8x8 luma block; only those of marked edges count
    // [0 luma, 1 subsampled chroma][0 edges between columns, 1 between rows][row of 8x8 luma
    // blocks][EdgeMask]; bit n is column n. Along a subsampled axis a bit stands for 4 chroma
    // samples and mask_inner is not used; across it only even rows or columns are.
    uint8_t mask[2][2][8][mask_sizes];
};
static_assert(sizeof(FilterSuperblock) == 192);

// A picture, or a band of it: some of its rows of superblocks, when the rows above are already
// filtered. A band's format has the height of its rows. If the band is not the picture's first one,
// a row without marks is added above, because edges between rows change the last 8 rows above.
struct FilterInput {
    PictureFormat format;
    uint32_t sharpness = 0;
    const FilterSuperblock *superblocks = nullptr; // raster order, cols() * rows()
    uint32_t top = 0;            // row of superblocks of the picture that the first one is
    bool filtered_above = false; // the first row has no marks, it is the one above

    uint32_t cols() const { return (format.width + 63) / 64; }
    uint32_t rows() const { return (format.height + 63) / 64; }
    const FilterSuperblock &at(uint32_t row, uint32_t col) const {
        return superblocks[size_t(row) * cols() + col];
    }
};

// The samples of a plane that the filter may read and write: whole 8x8 luma blocks.
struct FilterArea {
    uint32_t width, height;
};
inline FilterArea filter_area(const PictureFormat &format, unsigned plane) {
    return {((format.width + 7) & ~7u) >> format.shift_x(plane),
            ((format.height + 7) & ~7u) >> format.shift_y(plane)};
}

// Which of the two mask sets a plane uses.
inline unsigned filter_mask_set(const PictureFormat &format, unsigned plane) {
    return format.shift_x(plane) | format.shift_y(plane);
}

// Limit and shift of the adaptive filter strength selection process (8.8.4).
struct FilterSharpness {
    uint32_t shift, cap;
    explicit FilterSharpness(uint32_t sharpness)
        : shift((sharpness + 3) >> 2), cap(sharpness ? 9 - sharpness : 63) {}
    uint32_t limit(uint32_t level) const { return std::max(1u, std::min(level >> shift, cap)); }
};

// Null when the input can be filtered; otherwise what is wrong with it: a size or format out of
// range, a level above 63 at a marked edge, or an edge that would read or write outside of
// filter_area. Marked edges of level 0 are allowed and not filtered (8.8.2), as are the marks
// of the picture's own left and top edge.
const char *check_filter(const FilterInput &input);

} // namespace v3doff::vp9
