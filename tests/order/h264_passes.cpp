// SPDX-License-Identifier: BSD-2-Clause
#include "h264_passes.hpp"

#include "block.hpp"
#include "h264_tables.hpp"

namespace v3doff::order::h264 {

FourPasses::FourPasses(const Picture &picture, Random &random, Wrong wrong)
    : picture_(picture), random_(random), wrong_(wrong), edges_(picture, wrong) {
    for (int plane = 0; plane < picture.plane_count(); ++plane) {
        const int width = picture.width(plane), height = picture.height(plane);
        r_.emplace_back(monitor_, "R", buffer_r, width, height);
        a_.emplace_back(monitor_, "A", buffer_a, width, height);
        t_.emplace_back(monitor_, "T", buffer_t, width, height);
        g_.emplace_back(monitor_, "G", buffer_g, width, height);
        r_.back().fill(picture.planes[static_cast<size_t>(plane)], true);
    }
}

std::vector<Item> FourPasses::items(const Picture &picture, int pass) {
    std::vector<Item> items;
    for (int plane = 0; plane < picture.plane_count(); ++plane) {
        const PlaneShape &shape = picture.shape(plane);
        for (int row = 0; row < picture.rows; ++row)
            for (int col = 0; col < picture.cols; ++col) {
                const bool last = col == picture.cols - 1; // no strip: nothing stands to its right
                int lines = !last;
                if (pass == 1 && shape.taps == Taps::chroma) lines = 0;
                if (pass == 3) lines = picture.unit_height(plane);
                if (pass == 4) lines = shape.mb_width - (last ? 0 : shape.strip);
                for (int line = 0; line < lines; ++line)
                    items.push_back({plane, row, col, line});
            }
    }
    return items;
}

void FourPasses::run() {
    if (wrong_ == Wrong::fused_strips)
        dispatch({1, 2});
    else if (dispatch({1}); wrong_ == Wrong::swapped_passes)
        dispatch({3}), dispatch({2});
    else
        dispatch({2});
    if (wrong_ == Wrong::fused_lines) return dispatch({3, 4});
    if (wrong_ != Wrong::swapped_passes) dispatch({3});
    dispatch({4});
}

void FourPasses::dispatch(const std::vector<int> &passes) {
    std::vector<std::pair<int, Item>> work;
    for (const int pass : passes)
        for (const Item &item : items(picture_, pass))
            work.emplace_back(pass, item);
    random_.shuffle(work);
    monitor_.begin_dispatch();
    for (const auto &[pass, item] : work) {
        monitor_.begin_item();
        monitor_.reach.item(pass - 1, reach_kind(picture_, item.plane, item.row, item.col),
                            item.col * picture_.shape(item.plane).mb_width,
                            item.row * picture_.unit_height(item.plane));
        switch (pass) {
        case 1:
            strip_tail(item);
            break;
        case 2:
            strip_whole(item);
            break;
        case 3:
            vertical_line(item);
            break;
        case 4:
            horizontal_line(item);
            break;
        }
    }
}

// The strip after its own vertical edges, all rows; after its own horizontal edges, the tail. Both
// from R alone.
void FourPasses::strip_tail(const Item &item) {
    const int plane = item.plane, row = item.row, col = item.col;
    const PlaneShape &shape = picture_.shape(plane);
    const int width = shape.mb_width, height = picture_.unit_height(plane);
    const int left = col * width, top = row * height;
    Block block(0, width, 0, height,
                [&](int x, int y) { return r(plane).load(left + x, top + y); });
    for (int y = 0; y < height; ++y) {
        edges_.vertical_tail(block.row(y), plane, row, col, y);
        for (int x = width - shape.strip; x < width; ++x)
            a(plane).store(left + x, top + y, block.get(x, y));
    }
    const int tail = edges_.tail_start(plane, row, col);
    for (int x = width - shape.strip; x < width; ++x) {
        edges_.horizontal_tail(block.column(x), plane, row, col, x, height - tail);
        for (int y = tail; y < height; ++y)
            t(plane).store(left + x, top + y, block.get(x, y));
    }
}

// The last rows of the strip above get the left edge of the unit up-right; then all horizontal
// edges go down this strip.
void FourPasses::strip_whole(const Item &item) {
    const int plane = item.plane, row = item.row, col = item.col;
    const PlaneShape &shape = picture_.shape(plane);
    const int width = shape.mb_width, height = picture_.unit_height(plane);
    const int left = col * width, top = row * height;
    const bool luma = shape.taps == Taps::luma;
    Block block(0, 2 * width, -height, height, [&](int x, int y) {
        if (x < width && luma) return (y < 0 ? t(plane) : a(plane)).load(left + x, top + y);
        // Two taps: a strip is untouched until now.
        return r(plane).load(left + x, top + y, x < width ? -1 : part_r_up_right);
    });
    if (row) {
        const int above = edges_.rows_above(plane, row, col);
        for (int x = width - shape.strip; x < width && !luma; ++x)
            edges_.horizontal_tail(block.column(x, -height), plane, row - 1, col, x, above);
        const int filtered = wrong_ == Wrong::four_rows_above ? shape.upper_rows : above;
        for (int y = -filtered; y < 0 && wrong_ != Wrong::no_up_right_edge; ++y)
            edges_.left_edge(block.row(y, width), plane, row - 1, col + 1, height + y);
    }
    const int end = luma ? edges_.tail_start(plane, row, col) : height;
    for (int x = width - shape.strip; x < width; ++x) {
        edges_.horizontal(block.column(x), plane, row, col, x, end);
        for (int y = 0; y < end; ++y)
            t(plane).store(left + x, top + y, block.get(x, y));
        for (int y = -shape.upper_rows; y < 0 && row; ++y)
            g(plane).store(left + x, top + y, block.get(x, y));
    }
}

// All vertical edges of one row of a unit, with the strip of the unit to the left.
void FourPasses::vertical_line(const Item &item) {
    const int plane = item.plane, row = item.row, col = item.col, y = item.line;
    const PlaneShape &shape = picture_.shape(plane);
    const int width = shape.mb_width, height = picture_.unit_height(plane);
    const int left = col * width, top = row * height;
    Block block(-shape.strip, width, y, y + 1, [&](int x, int) {
        if (x >= 0) return r(plane).load(left + x, top + y);
        const bool skip = wrong_ == Wrong::unfiltered_strip;
        return (skip ? r(plane) : t(plane)).load(left + x, top + y);
    });
    edges_.vertical(block.row(y), plane, row, col, y);
    const int end = last_col(col) ? width : width - shape.strip;
    for (int x = 0; x < end; ++x)
        a(plane).store(left + x, top + y, block.get(x, y));
    // Pass 2 of the unit below-left has already finished the last rows of that strip.
    if (col && (y < height - shape.upper_rows || last_row(row)))
        for (int x = -shape.strip; x < 0; ++x)
            g(plane).store(left + x, top + y, block.get(x, y));
}

// All horizontal edges of one column of a unit, after those of the unit above that its last rows
// still need.
void FourPasses::horizontal_line(const Item &item) {
    const int plane = item.plane, row = item.row, col = item.col, x = item.line;
    const PlaneShape &shape = picture_.shape(plane);
    const int height = picture_.unit_height(plane);
    const int left = col * shape.mb_width, top = row * height;
    Block block(x, x + 1, row ? -height : 0, height,
                [&](int column, int y) { return a(plane).load(left + column, top + y); });
    if (row)
        edges_.horizontal_tail(block.column(x, -height), plane, row - 1, col, x,
                               edges_.rows_above(plane, row, col));
    edges_.horizontal(block.column(x), plane, row, col, x, height);
    const int end = last_row(row) ? height : height - shape.upper_rows;
    for (int y = row ? -shape.upper_rows : 0; y < end; ++y)
        g(plane).store(left + x, top + y, block.get(x, y));
}

long FourPasses::differences(const std::vector<std::vector<Sample>> &expected) const {
    long count = 0;
    const std::vector<Memory> &result = wrong_ == Wrong::in_place ? a_ : g_;
    for (size_t plane = 0; plane < result.size(); ++plane)
        count += result[plane].differences(expected[plane]);
    return count;
}

} // namespace v3doff::order::h264
