// SPDX-License-Identifier: BSD-2-Clause
#include "vp9_wavefront.hpp"

namespace v3doff::order::vp9 {
namespace {

struct Array {
    std::vector<Sample> &samples;
    int width;
    size_t index(int x, int y) const {
        return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
    }
    Sample load(int x, int y) const { return samples[index(x, y)]; }
    void store(int x, int y, Sample value) { samples[index(x, y)] = value; }
};

void raster_vertical(const Plane &plane, Array &array, int row, int col) {
    for (int y = plane.top(row); y < plane.bottom(row); ++y)
        filter_row(plane, RowOf<Array>{array, y}, y, plane.left(col), plane.right(col));
}

void raster_horizontal(const Plane &plane, Array &array, int row, int col) {
    for (int x = plane.left(col); x < plane.right(col); ++x)
        filter_column(plane, ColumnOf<Array>{array, x}, x, plane.top(row), plane.bottom(row));
}

template <class Visit>
Planes filtered(const Picture &picture, Visit visit) {
    Planes planes;
    for (const Plane &plane : picture.planes) {
        planes.push_back(plane.samples);
        Array array{planes.back(), plane.width};
        visit(plane, array);
    }
    return planes;
}

} // namespace

Planes raster_order(const Picture &picture) {
    return filtered(picture, [&](const Plane &plane, Array &array) {
        for (int row = 0; row < picture.sb_rows; ++row)
            for (int col = 0; col < picture.sb_cols; ++col) {
                raster_vertical(plane, array, row, col);
                raster_horizontal(plane, array, row, col);
            }
    });
}

Planes vertical_then_horizontal(const Picture &picture) {
    return filtered(picture, [&](const Plane &plane, Array &array) {
        for (int row = 0; row < picture.sb_rows; ++row)
            for (int col = 0; col < picture.sb_cols; ++col)
                raster_vertical(plane, array, row, col);
        for (int row = 0; row < picture.sb_rows; ++row)
            for (int col = 0; col < picture.sb_cols; ++col)
                raster_horizontal(plane, array, row, col);
    });
}

void Superblock::vertical(int row, int col) {
    for (int y = plane.top(row); y < plane.bottom(row); ++y)
        filter_row(plane, RowOf<Memory>{memory, y}, y, plane.left(col), plane.right(col));
}

void Superblock::horizontal(int row, int from, int to) {
    for (int x = from; x < to; ++x)
        filter_column(plane, ColumnOf<Memory>{memory, x}, x, plane.top(row), plane.bottom(row));
}

void filter_unit(const Picture &picture, int plane, Memory &memory, int row, int col, int strip) {
    const Plane &edges = picture.planes[static_cast<size_t>(plane)];
    Superblock superblock{edges, memory};
    const int left = edges.left(col), right = edges.right(col);
    if (col) superblock.horizontal(row, left - strip, left);
    superblock.vertical(row, col);
    superblock.horizontal(row, left, col == picture.sb_cols - 1 ? right : right - strip);
}

std::vector<Place> Grid::waits_for(Place tile) const {
    std::vector<Place> places;
    if (tile.col) places.push_back({tile.row, tile.col - 1});
    const int above = plain && tile.col + 1 < tiles_across() ? tile.col + 1 : tile.col;
    if (tile.row) places.push_back({tile.row - 1, above});
    return places;
}

std::vector<std::vector<Place>> dispatches(const Grid &grid) {
    std::vector<std::vector<Place>> result;
    std::vector<size_t> number(static_cast<size_t>(grid.tiles_down() * grid.tiles_across()));
    for (int row = 0; row < grid.tiles_down(); ++row)
        for (int col = 0; col < grid.tiles_across(); ++col) {
            size_t earliest = 0;
            for (const Place &place : grid.waits_for({row, col}))
                earliest = std::max(earliest, number[static_cast<size_t>(grid.index(place))] + 1);
            number[static_cast<size_t>(grid.index({row, col}))] = earliest;
            if (result.size() <= earliest) result.resize(earliest + 1);
            result[earliest].push_back({row, col});
        }
    return result;
}

void filter_tile(const Picture &picture, int plane, Memory &memory, const Grid &grid, Place tile,
                 int strip) {
    const int row_end = std::min((tile.row + 1) * grid.tile_rows, grid.rows);
    const int col_end = std::min((tile.col + 1) * grid.tile_cols, grid.cols);
    for (int row = tile.row * grid.tile_rows; row < row_end; ++row)
        for (int col = tile.col * grid.tile_cols; col < col_end; ++col)
            filter_unit(picture, plane, memory, row, col, strip);
}

} // namespace v3doff::order::vp9
