// SPDX-License-Identifier: BSD-2-Clause
#include "vp9_cut.hpp"

#include "block.hpp"

namespace v3doff::order::vp9 {

CutPasses::CutPasses(const Picture &picture, Random &random, Tails tails, WrongCut wrong)
    : picture_(picture), random_(random), tails_(tails), wrong_(wrong),
      plan_(vp9::plan(picture, tails)), monitor_(true) {
    if (wrong == WrongCut::ignore_cuts) {
        Picture without = empty_picture(picture.width, picture.height, picture.ss_h, picture.ss_v);
        plan_ = vp9::plan(without, tails);
    }
    for (const Plane &plane : picture.planes) {
        r_.emplace_back(monitor_, "R", buffer_r, plane.width, plane.height);
        t_.emplace_back(monitor_, "T", buffer_t, plane.width, plane.height);
        g_.emplace_back(monitor_, "G", buffer_g, plane.width, plane.height);
        r_.back().fill(plane.samples, true);
    }
}

void CutPasses::run() {
    for (int number = 1; number <= plan_.strip_dispatches; ++number) {
        std::vector<Item> items = strip_items(number);
        const bool last = number == plan_.strip_dispatches;
        if (wrong_ == WrongCut::one_less && number + 1 == plan_.strip_dispatches)
            for (const Item &item : strip_items(++number))
                items.push_back(item);
        if (wrong_ == WrongCut::lines_too_early && last)
            for (const Item &item : row_items())
                items.push_back(item);
        dispatch(std::move(items));
    }
    if (wrong_ != WrongCut::lines_too_early || !plan_.strip_dispatches) dispatch(row_items());
    dispatch(column_items());
}

void CutPasses::dispatch(std::vector<Item> items) {
    random_.shuffle(items);
    monitor_.begin_dispatch();
    for (const Item &item : items) {
        const Plane &p = plane(item);
        monitor_.begin_item();
        // A segment of a column may be as long as the picture is high.
        monitor_.reach.item(item.kind == Item::column_line ? -1 : item.kind,
                            reach_kind(picture_, p, item.row, item.col), p.left(item.col),
                            p.top(item.row));
        switch (item.kind) {
        case Item::tail:
            tail_item(item);
            break;
        case Item::whole:
            whole_item(item);
            break;
        case Item::row_line:
            row_item(item);
            break;
        case Item::column_line:
            column_item(item);
            break;
        }
    }
}

std::vector<Item> CutPasses::strip_items(int dispatch) const {
    std::vector<Item> items;
    for (int p = 0; p < 3; ++p)
        for (int row = 0; row < picture_.sb_rows; ++row)
            for (int col = 0; col + 1 < picture_.sb_cols; ++col) {
                const StripPlan &planned = strip(p, row, col);
                if (planned.tail == dispatch && row + 1 < picture_.sb_rows)
                    items.push_back({Item::tail, p, row, col});
                if (planned.whole == dispatch) items.push_back({Item::whole, p, row, col});
            }
    return items;
}

std::vector<Item> CutPasses::row_items() const {
    std::vector<Item> items;
    for (int p = 0; p < 3; ++p) {
        const Plane &edges = picture_.planes[static_cast<size_t>(p)];
        for (int row = 0; row < picture_.sb_rows; ++row)
            for (int col = 0; col < picture_.sb_cols; ++col)
                for (int y = edges.top(row); y < edges.bottom(row); ++y)
                    items.push_back({Item::row_line, p, row, col, y});
    }
    return items;
}

std::vector<Item> CutPasses::column_items() const {
    std::vector<Item> items;
    for (int p = 0; p < 3; ++p) {
        const Plane &edges = picture_.planes[static_cast<size_t>(p)];
        for (int col = 0; col < picture_.sb_cols; ++col) {
            const bool last = col + 1 == picture_.sb_cols;
            const int end = last ? edges.right(col) : edges.right(col) - strip_width;
            for (int x = edges.left(col); x < end; ++x) {
                const std::vector<int> cuts = segments(edges, x);
                for (size_t i = 0; i + 1 < cuts.size(); ++i)
                    items.push_back({Item::column_line, p, 0, col, x, cuts[i], cuts[i + 1]});
            }
        }
    }
    return items;
}

// Vertical edges of a superblock row's part that the strip depends on, rows from..end. Positions of
// the block count from the item's superblock; base: 0, or -1 for the superblock above it.
template <class Local>
void CutPasses::strip_rows(Local &block, const Item &item, int base, int from) {
    const Plane &p = plane(item);
    const int row = item.row + base, left = p.left(item.col), top = p.top(item.row);
    for (int y = p.top(row) + from; y < p.bottom(row); ++y) {
        const Chain chain = vertical_chain(p, row, item.col, y - p.top(row));
        const bool free = chain.cut || wrong_ == WrongCut::ignore_cuts;
        filter_row(p, block.row(y - top, -left), y, left + (free ? chain.first_free : 0),
                   p.right(item.col));
    }
}

// The last rows of a strip that has a horizontal cut: nothing above the first free edge of each
// column is looked at.
template <class Local>
void CutPasses::strip_tail(Local &block, const Item &item, int base) {
    const Plane &p = plane(item);
    const int row = item.row + base, right = p.right(item.col), left = p.left(item.col);
    int first = p.sb_height - strip_width;
    for (int x = right - strip_width; x < right; ++x)
        first = std::min(first, horizontal_chain(p, row, x).first_free - strip_width);
    strip_rows(block, item, base, std::max(first, 0));
    for (int x = right - strip_width; x < right; ++x)
        filter_column(p, block.column(x - left, -p.top(item.row)), x,
                      p.top(row) + horizontal_chain(p, row, x).first_free, p.bottom(row));
}

void CutPasses::tail_item(const Item &item) {
    const Plane &p = plane(item);
    const int left = p.left(item.col), top = p.top(item.row);
    Block block(-strip_width, p.sb_width, 0, p.sb_height,
                [&](int x, int y) { return at(x < 0 ? t_ : r_, item).load(left + x, top + y); });
    strip_tail(block, item, 0);
    for (int y = p.sb_height - strip_width; y < p.sb_height; ++y)
        for (int x = p.sb_width - strip_width; x < p.sb_width; ++x)
            at(t_, item).store(left + x, top + y, block.get(x, y));
}

void CutPasses::whole_item(const Item &item) {
    const Plane &p = plane(item);
    const int left = p.left(item.col), top = p.top(item.row), rows = p.bottom(item.row) - top;
    const int strip_left = p.sb_width - strip_width;
    const StripPlan *above = item.row ? &strip(item.plane, item.row - 1, item.col) : nullptr;
    const bool recompute = above && tails_ == Tails::recomputed && above->horizontal_cut;
    Block block(-strip_width, p.sb_width + strip_width, -p.sb_height, rows, [&](int x, int y) {
        const auto load = [&](std::vector<Memory> &planes, int part) {
            return at(planes, item).load(left + x, top + y, part);
        };
        if (x < 0) return load(t_, y < 0 ? static_cast<int>(part_t_above_left) : -1);
        if (y >= 0) return load(r_, -1);
        if (x >= p.sb_width) return load(r_, part_r_up_right);
        return recompute ? load(r_, part_r_above) : load(t_, part_t_above);
    });
    if (recompute) strip_tail(block, item, -1);
    // The first vertical edge of the superblock up-right comes between.
    for (int y = -strip_width; y < 0 && above; ++y)
        filter_row(p, block.row(y, -left), top + y, left + p.sb_width, left + p.sb_width + 1);
    strip_rows(block, item, 0, 0);
    const int tail_from =
        strip(item.plane, item.row, item.col).tail && item.row + 1 < picture_.sb_rows
            ? rows - strip_width
            : rows;
    for (int x = strip_left; x < p.sb_width; ++x) {
        filter_column(p, block.column(x, -top), left + x, top, top + rows);
        for (int y = -strip_width; y < 0 && above; ++y)
            at(g_, item).store(left + x, top + y, block.get(x, y));
        for (int y = 0; y < tail_from; ++y)
            at(t_, item).store(left + x, top + y, block.get(x, y));
    }
}

void CutPasses::row_item(const Item &item) {
    const Plane &p = plane(item);
    const int left = p.left(item.col), right = p.right(item.col), y = item.line;
    Block block(left - strip_width, right, y, y + 1,
                [&](int x, int row) { return at(x < left ? t_ : r_, item).load(x, row); });
    filter_row(p, block.row(y), y, left, right);
    const bool last = item.col + 1 == picture_.sb_cols;
    for (int x = left; x < (last ? right : right - strip_width); ++x)
        at(g_, item).store(x, y, block.get(x, y));
    // The strip below has finished the last rows of the strip to the left.
    const bool own = y < p.bottom(item.row) - strip_width || item.row + 1 == picture_.sb_rows;
    for (int x = left - strip_width; x < left && item.col && own; ++x)
        at(g_, item).store(x, y, block.get(x, y), part_g_left);
}

void CutPasses::column_item(const Item &item) {
    filter_column(plane(item), ColumnOf<Memory>{at(g_, item), item.line}, item.line, item.from,
                  item.to);
}

long CutPasses::differences(const Planes &expected) const {
    long count = 0;
    for (size_t p = 0; p < g_.size(); ++p)
        count += g_[p].differences(expected[p]);
    return count;
}

} // namespace v3doff::order::vp9
