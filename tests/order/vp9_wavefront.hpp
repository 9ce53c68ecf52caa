// SPDX-License-Identifier: BSD-2-Clause
// Raster order, and the shifted wavefront: README.md, sections 4 and 5.
#pragma once

#include "vp9_picture.hpp"

namespace v3doff::order::vp9 {

using Planes = std::vector<std::vector<Sample>>;

// The order of the specification: superblocks in raster order, in each the vertical edges of a
// plane, then the horizontal ones.
Planes raster_order(const Picture &picture);
Planes vertical_then_horizontal(const Picture &picture);

// The samples of one plane in a buffer that is filtered in place.
struct Superblock {
    const Plane &plane;
    Memory &memory;

    void vertical(int row, int col);
    // Horizontal edges of a superblock row, on columns [from, to) of the plane.
    void horizontal(int row, int from, int to);
};

// A unit of the shifted wavefront: horizontal edges on the last strip columns of the superblock to
// the left, all vertical edges of this superblock, horizontal edges on what is left of it: all but
// its own last strip columns. strip: 8 at least; 0 is a plain superblock.
void filter_unit(const Picture &picture, int plane, Memory &memory, int row, int col, int strip);

struct Place {
    int row, col;
    bool operator==(const Place &) const = default;
};

// A grid of tiles of tile_cols x tile_rows superblocks, each waiting for the tile to its left and
// the one above it; plain units wait for the one up-right instead of the one above.
struct Grid {
    int rows, cols;           // superblocks
    int tile_cols, tile_rows; // superblocks in a tile
    bool plain = false;

    int tiles_down() const { return (rows + tile_rows - 1) / tile_rows; }
    int tiles_across() const { return (cols + tile_cols - 1) / tile_cols; }
    int index(Place tile) const { return tile.row * tiles_across() + tile.col; }
    std::vector<Place> waits_for(Place tile) const;
};

// Tiles by dispatch: each as early as what it waits for allows.
std::vector<std::vector<Place>> dispatches(const Grid &grid);

// All units of a tile in raster order.
void filter_tile(const Picture &picture, int plane, Memory &memory, const Grid &grid, Place tile,
                 int strip);

} // namespace v3doff::order::vp9
