// SPDX-License-Identifier: BSD-2-Clause
#include "h264_fused.hpp"

#include "block.hpp"
#include "h264_tables.hpp"

#include <algorithm>

namespace v3doff::order::h264 {

Fused::Fused(const Picture &picture, Random &random, int dispatches, int tile_rows)
    : picture_(picture), random_(random), dispatches_(dispatches), tile_rows_(tile_rows),
      edges_(picture, Wrong::nothing) {
    for (int plane = 0; plane < picture.plane_count(); ++plane) {
        const int width = picture.width(plane), height = picture.height(plane);
        r_.emplace_back(monitor_, "R", buffer_r, width, height);
        t_.emplace_back(monitor_, "T", buffer_t, width, height);
        g_.emplace_back(monitor_, "G", buffer_g, width, height);
        r_.back().fill(picture.planes[static_cast<size_t>(plane)], true);
    }
}

void Fused::run() {
    if (dispatches_ == 2) dispatch(false);
    dispatch(true);
}

void Fused::dispatch(bool tiles) {
    std::vector<Item> work;
    for (int plane = 0; plane < picture_.plane_count(); ++plane)
        for (int row = 0; row < picture_.rows; row += tiles ? tile_rows_ : 1)
            for (int col = 0; col < picture_.cols - !tiles; ++col)
                work.push_back({plane, row, col, 0});
    random_.shuffle(work);
    monitor_.begin_dispatch();
    for (const Item &item : work) {
        monitor_.begin_item();
        monitor_.reach.item(tiles, reach_kind(picture_, item.plane, item.row, item.col),
                            item.col * picture_.shape(item.plane).mb_width,
                            item.row * picture_.unit_height(item.plane));
        strips_.clear();
        tiles ? tile_item(item) : strip_item(item);
    }
}

int Fused::halo(int plane, int row, int col) const {
    if (!row) return 0;
    if (picture_.shape(plane).taps == Taps::luma) return picture_.field(row - 1, col) ? 20 : 10;
    const int above = edges_.rows_above(plane, row, col);
    // The last inner edge of a frame pair touches the fourth row above: two rows more.
    return above + (above == 4 && !picture_.field(row - 1, col) ? 2 : 0);
}

Fused::Strip Fused::whole_strip(int plane, int row, int col) {
    const PlaneShape &shape = picture_.shape(plane);
    const int width = shape.mb_width, height = picture_.unit_height(plane);
    const int left = col * width, top = row * height, first = width - shape.strip;
    Block block(0, width + 4, -height, height, [&](int x, int y) {
        // In the single dispatch the strip is part of a tile, and counts as one with it.
        const bool apart = x >= width && dispatches_ == 2;
        return at(r_, plane).load(left + x, top + y, apart ? part_r_up_right : -1);
    });
    for (int y = -halo(plane, row, col); y < height; ++y)
        edges_.vertical_tail(block.row(y), plane, y < 0 ? row - 1 : row, col,
                             y < 0 ? y + height : y);
    if (row) {
        const int above = edges_.rows_above(plane, row, col);
        for (int x = first; x < width; ++x)
            edges_.horizontal_tail(block.column(x, -height), plane, row - 1, col, x, above);
        for (int y = -above; y < 0; ++y)
            edges_.left_edge(block.row(y, width), plane, row - 1, col + 1, height + y);
    }
    for (int x = first; x < width; ++x)
        edges_.horizontal(block.column(x), plane, row, col, x, height);
    Strip strip;
    for (int y = -shape.upper_rows; y < height; ++y)
        for (int x = first; x < width; ++x)
            strip.push_back(y < 0 && !row ? 0 : block.get(x, y));
    return strip;
}

void Fused::strip_item(const Item &item) {
    const PlaneShape &shape = picture_.shape(item.plane);
    const int left = (item.col + 1) * shape.mb_width - shape.strip;
    const int top = item.row * picture_.unit_height(item.plane);
    const Strip strip = whole_strip(item.plane, item.row, item.col);
    for (size_t i = 0; i < strip.size(); ++i) {
        const int x = left + static_cast<int>(i) % shape.strip;
        const int y = static_cast<int>(i) / shape.strip - shape.upper_rows;
        if (y >= 0)
            at(t_, item.plane).store(x, top + y, strip[i]);
        else if (item.row)
            at(g_, item.plane).store(x, top + y, strip[i]);
    }
}

const Fused::Strip &Fused::own_strip(int plane, int row, int col) {
    const auto found =
        std::find_if(strips_.begin(), strips_.end(), [&](const auto &s) { return s.first == row; });
    if (found != strips_.end()) return found->second;
    strips_.emplace_back(row, whole_strip(plane, row, col));
    return strips_.back().second;
}

// T left of unit column col: from memory, or in the single dispatch from this item's own work.
Sample Fused::strip_sample(int plane, int col, int x, int y) {
    if (dispatches_ == 2) return at(t_, plane).load(x, y);
    const PlaneShape &shape = picture_.shape(plane);
    const int height = picture_.unit_height(plane), inside = x - col * shape.mb_width + shape.strip;
    const Strip &strip = own_strip(plane, y / height, col - 1);
    return strip[static_cast<size_t>((y % height + shape.upper_rows) * shape.strip + inside)];
}

// The last rows of a strip left of unit column col, which the strip below them has finished.
Sample Fused::finished_sample(int plane, int col, int x, int y) {
    const PlaneShape &shape = picture_.shape(plane);
    const int height = picture_.unit_height(plane), inside = x - col * shape.mb_width + shape.strip;
    const Strip &strip = own_strip(plane, y / height + 1, col - 1);
    const int line = y % height - height + shape.upper_rows;
    return strip[static_cast<size_t>(line * shape.strip + inside)];
}

void Fused::tile_item(const Item &item) {
    const int plane = item.plane, first_row = item.row, col = item.col;
    const PlaneShape &shape = picture_.shape(plane);
    const int height = picture_.unit_height(plane), left = col * shape.mb_width;
    Block block(-shape.strip, shape.mb_width, first_row ? -height : 0, tile_rows_ * height,
                [&, top = first_row * height](int x, int y) {
                    return x < 0 ? strip_sample(plane, col, left + x, top + y)
                                 : at(r_, plane).load(left + x, top + y);
                });
    filter_tile(block, item);
    store_tile(block, item);
}

template <class Tile>
void Fused::filter_tile(Tile &block, const Item &item) {
    const int plane = item.plane, first_row = item.row, col = item.col;
    const PlaneShape &shape = picture_.shape(plane);
    const int height = picture_.unit_height(plane);
    const int rows = std::min(tile_rows_, picture_.rows - first_row);
    for (int y = -halo(plane, first_row, col); y < rows * height; ++y) {
        const int row = y < 0 ? first_row - 1 : first_row + y / height;
        edges_.vertical(block.row(y), plane, row, col, (y + height) % height);
    }
    const int end = col == picture_.cols - 1 ? shape.mb_width : shape.mb_width - shape.strip;
    for (int x = 0; x < end; ++x) {
        if (first_row)
            edges_.horizontal_tail(block.column(x, -height), plane, first_row - 1, col, x,
                                   edges_.rows_above(plane, first_row, col));
        for (int i = 0; i < rows; ++i)
            edges_.horizontal(block.column(x, i * height), plane, first_row + i, col, x, height);
    }
}

template <class Tile>
void Fused::store_tile(Tile &block, const Item &item) {
    const int plane = item.plane, first_row = item.row, col = item.col;
    const PlaneShape &shape = picture_.shape(plane);
    const int height = picture_.unit_height(plane), top = first_row * height;
    const int rows = std::min(tile_rows_, picture_.rows - first_row) * height;
    const bool bottom = top + rows == picture_.height(plane);
    const int end = col == picture_.cols - 1 ? shape.mb_width : shape.mb_width - shape.strip;
    const int left = col * shape.mb_width;
    for (int y = first_row ? -shape.upper_rows : 0; y < rows - (bottom ? 0 : shape.upper_rows);
         ++y) {
        for (int x = 0; x < end; ++x)
            at(g_, plane).store(left + x, top + y, block.get(x, y));
        // In two dispatches the first one has finished the last rows of each strip but the lowest.
        const bool own_rows = y >= 0 && (y % height < height - shape.upper_rows ||
                                         top + y >= picture_.height(plane) - shape.upper_rows);
        for (int x = -shape.strip; x < 0 && col && (own_rows || dispatches_ == 1); ++x) {
            const Sample value =
                own_rows ? block.get(x, y) : finished_sample(plane, col, left + x, top + y);
            at(g_, plane).store(left + x, top + y, value);
        }
    }
}

long Fused::differences(const std::vector<std::vector<Sample>> &expected) const {
    long count = 0;
    for (size_t plane = 0; plane < g_.size(); ++plane)
        count += g_[plane].differences(expected[plane]);
    return count;
}

} // namespace v3doff::order::h264
