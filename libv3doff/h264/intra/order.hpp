// SPDX-License-Identifier: BSD-2-Clause
// The order in which the intra macroblocks of a picture can be done. No Vulkan here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace v3doff::h264 {

// What the order depends on: where a macroblock is, IntraReads of its neighbours, and whether it is
// a field macroblock of an MBAFF frame.
struct IntraNode {
    uint16_t x, y;
    uint8_t reads;
    bool field = false;
};

// There are two orders:
// * Levels. A macroblock's level is one more than the highest level of the intra macroblocks that
//   it reads. A dispatch does one level.
// * Tiles. With u = x + 2 * y and v = y, a macroblock reads (u - 1, v), (u - 3, v - 1),
//   (u - 2, v - 1) and (u - 1, v - 1), so a rectangle in (u, v) reads only rectangles that come
//   before it in both. A tile has a level as a macroblock has. A dispatch does the tiles of one
//   level; a workgroup does the macroblocks of one tile, level by level inside of it.
// In an MBAFF frame pairs have these places instead: a pair reads only pairs that are there. A
// lower frame macroblock also reads the upper one; the two of a field pair do not read each other.
class IntraOrder {
  public:
    static constexpr uint32_t tile_u = 16, tile_v = 8; // half as many pairs down
    // So many macroblocks of a tile's level are one step.
    static constexpr uint32_t side_by_side = 8;

    // Nodes in any order, no two of them at one place.
    void build(uint32_t mb_width, uint32_t mb_height, std::span<const IntraNode> nodes,
               bool mbaff = false);

    // The order that is likely to take less time, or what V3DOFF_DEBUG asks for.
    bool by_tiles() const { return by_tiles_; }
    uint32_t dispatches() const { return by_tiles_ ? tile_dispatches_ : level_dispatches_; }

    // Dispatch and level inside of the tile count from 1. Levels: each node is a tile of its own.
    uint32_t dispatch(uint32_t node) const {
        return by_tiles_ ? tile_level_[tile_[node]] : level_[node];
    }
    uint32_t tile(uint32_t node) const { return tile_[node]; }
    uint32_t inside(uint32_t node) const { return inside_[node]; }

    // The nodes in the order of decoding.
    std::span<const uint32_t> raster() const { return raster_; }

  private:
    void sort(std::span<const IntraNode> nodes);
    void find_levels(std::span<const IntraNode> nodes);
    void find_tiles(std::span<const IntraNode> nodes);
    uint32_t find_tile_levels();
    uint32_t place(uint32_t x, uint32_t y) const;
    uint32_t owner(uint32_t x, uint32_t line) const;
    template <typename Visit>
    void each_read(const IntraNode &node, Visit visit) const;

    uint32_t width_ = 0, height_ = 0, tiles_across_ = 0;
    bool pairs_ = false;
    std::vector<bool> field_pairs_; // of those with nodes
    uint32_t level_dispatches_ = 0, tile_dispatches_ = 0;
    bool by_tiles_ = false;
    std::vector<uint32_t> raster_;
    std::vector<uint32_t> node_at_;               // of each macroblock, from 1; 0: none
    std::vector<uint32_t> level_, tile_, inside_; // of each node
    std::vector<uint32_t> tile_level_;            // of each tile; 0: it is empty
    std::vector<uint8_t> tile_reads_;
    std::vector<uint32_t> tile_counts_; // nodes of each level of each tile
};

} // namespace v3doff::h264
