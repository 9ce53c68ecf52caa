// SPDX-License-Identifier: BSD-2-Clause
// A picture's blocks to the levels and marked edges of its superblocks, by the rules of 8.8.2 and
// 8.8.3, with the deviations at odd picture edges that libvpx has and FFmpeg follows.
#pragma once

#include <cstring>

#include "vp9/filter/input.hpp"

namespace v3doff::vp9 {

// Edges of one superblock, a bit for each 8x8 luma block, a byte for each row of them: element 0
// are edges between columns, element 1 edges between rows.
using FilterEdges = uint64_t __attribute__((vector_size(16)));

// While blocks are added, a superblock's masks are FilterEdges of these kinds: first those of luma,
// then those of subsampled chroma. Which filter 4x4 transforms get depends on the place.
enum FilterEdgeKind : unsigned { edges_16, edges_8, edges_4, edges_all_4, edge_kinds };

// The edges of a block in a superblock's top left corner.
struct alignas(16) FilterBlockEdges {
    uint64_t luma[2], chroma[2];
    uint8_t luma_kind, chroma_kind; // FilterEdgeKind
    uint8_t none_at; // bits of places where chroma belongs to an earlier block: odd columns, rows
    bool fits;       // the transforms fit into the block
};

class FilterMarks {
  public:
    FilterMarks() = default;
    // superblocks: of all rows from the top that are filtered, all zeros.
    FilterMarks(const PictureFormat &format, FilterSuperblock *superblocks, uint32_t rows);

    bool has_row(uint32_t row) const { return row < end_; }

    // A block of luma at a place in units of 8 samples. shape: the transform size, 4 if edges
    // inside are not filtered, and 8 times the block's size, numbered as in v3doff_vp9_block.
    // Returns false if its transforms do not fit into it. Blocks of level 0 have no edges.
    bool add(uint32_t row, uint32_t col, uint32_t shape, uint8_t level) {
        const FilterBlockEdges &edges = of_shape_[shape];
        if (!edges.fits) return false;
        if (!level) return true;
        FilterSuperblock &to = superblocks_[size_t(row / 8 * cols_ + col / 8)];
        // Most superblocks have one level, that of their first block.
        if (level != to.level[0][0]) set_level(to, row, col, shape, level);
        const uint32_t at = row % 8 * 8 + col % 8;
        mark(to, edges.luma_kind, edges.luma, at);
        if (!(at & edges.none_at)) mark(to, edge_kinds + edges.chroma_kind, edges.chroma, at);
        return true;
    }
    // Turns the edges of all superblocks into masks.
    void finish();

  private:
    static void mark(FilterSuperblock &to, uint32_t kind, const uint64_t (&edges)[2], uint32_t at) {
        FilterEdges more, all;
        std::memcpy(&more, edges, sizeof more);
        uint8_t *const masks = reinterpret_cast<uint8_t *>(to.mask) + kind * sizeof all;
        std::memcpy(&all, masks, sizeof all);
        all |= more << at;
        std::memcpy(masks, &all, sizeof all);
    }
    static void set_level(FilterSuperblock &to, uint32_t row, uint32_t col, uint32_t shape,
                          uint8_t level);

    FilterSuperblock *superblocks_ = nullptr;
    const FilterBlockEdges *of_shape_ = nullptr;
    PictureFormat format_{};
    uint32_t cols_ = 0, end_ = 0; // of superblocks; of 8x8 luma blocks in rows that are filtered
};

} // namespace v3doff::vp9
