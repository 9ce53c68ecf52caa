// SPDX-License-Identifier: BSD-2-Clause
#include "vp9_orders.hpp"

#include "block.hpp"

namespace v3doff::order::vp9 {
namespace {

constexpr int strip_width = 8; // columns and rows that the next superblock's first edge reads
constexpr int no_place = -1;

// The places of a line, counted from its superblock, that no edge's samples straddle: the first or
// the last one that leaves the last block behind it.
template <class WidthAt>
int find_place(int length, bool last, WidthAt width_at) {
    int found = no_place;
    for (int place = 4; place <= length - 8; place += 4) {
        if (width_at(place) || width_at(place - 4) == 16 || width_at(place + 4) == 16) continue;
        found = place;
        if (!last) break;
    }
    return found;
}

enum class Kind { first, second, line, column, copy };
struct Item {
    Kind kind;
    int plane, row, col;
    int line = 0, phase = 0;
};

struct Strip {
    bool row_cuts = true, column_cuts = true;
    int first = 0, second = 0; // levels
};

class CutRun {
  public:
    CutRun(const Picture &picture, Random &random, WrongCut wrong)
        : picture_(picture), random_(random), wrong_(wrong), monitor_(true) {
        for (const Plane &plane : picture.planes) {
            frame_.emplace_back(monitor_, "frame", 0, plane.width, plane.height);
            frame_.back().fill(plane.samples, false);
            slots_.emplace_back(monitor_, "slots", 1, strip_width * (picture.sb_cols - 1),
                                picture.sb_rows * (strip_width + plane.sb_height));
        }
        plan();
    }

    Outcome run(const Planes &expected) {
        std::vector<std::vector<Item>> dispatches = strip_dispatches();
        if (wrong_ == WrongCut::one_less && dispatches.size() > 1) {
            const std::vector<Item> last = std::move(dispatches.back());
            dispatches.pop_back();
            dispatches.back().insert(dispatches.back().end(), last.begin(), last.end());
        }
        if (wrong_ != WrongCut::lines_too_early || dispatches.empty()) dispatches.emplace_back();
        add_lines(dispatches.back());
        for (std::vector<Item> &items : dispatches)
            dispatch(std::move(items));
        run_columns();
        Outcome outcome{0, monitor_.violations(), static_cast<int>(dispatches.size()) + 1,
                        monitor_.first_violation()};
        for (size_t p = 0; p < frame_.size(); ++p)
            outcome.differences += frame_[p].differences(expected[p]);
        return outcome;
    }

  private:
    const Plane &plane(int p) const { return picture_.planes[static_cast<size_t>(p)]; }
    Strip &strip(int p, int row, int col) {
        return strips_[static_cast<size_t>((p * picture_.sb_rows + row) * picture_.sb_cols + col)];
    }

    // Where a line is cut. Ignoring that there is no place, it is cut before its last block.
    int row_place(int p, int col, int y) const {
        const Plane &edges = plane(p);
        const int place = find_place(edges.sb_width, true, [&](int x) {
            const int at = edges.left(col) + x;
            return at < edges.width ? edges.vertical_width(at, y) : 0;
        });
        const bool ignored = wrong_ == WrongCut::ignore_cuts && place == no_place && col;
        return ignored ? edges.sb_width - 8 : place;
    }
    int column_place(int p, int row, int x, bool last) const {
        const Plane &edges = plane(p);
        if (!row) return 0;
        const int place = find_place(edges.sb_height, last, [&](int y) {
            const int at = edges.top(row) + y;
            return at < edges.height ? edges.horizontal_width(x, at) : 0;
        });
        const bool ignored = wrong_ == WrongCut::ignore_cuts && place == no_place && last;
        return ignored ? edges.sb_height - 8 : place;
    }

    void plan() {
        strips_.resize(static_cast<size_t>(3 * picture_.sb_rows * picture_.sb_cols));
        for (int p = 0; p < 3; ++p)
            for (int row = 0; row < picture_.sb_rows; ++row)
                for (int col = 0; col + 1 < picture_.sb_cols; ++col)
                    plan_strip(p, row, col);
    }

    void plan_strip(int p, int row, int col) {
        const Plane &edges = plane(p);
        Strip &own = strip(p, row, col);
        for (int y = edges.top(row); y < edges.bottom(row); y += 4)
            own.row_cuts &= !col || row_place(p, col, y) != no_place;
        for (int x = edges.right(col) - strip_width; x < edges.right(col); x += 4)
            own.column_cuts &= column_place(p, row, x, true) != no_place;
        const auto complete = [](const Strip &s) { return std::max(s.first, s.second); };
        own.first = 1 + (own.row_cuts ? 0 : complete(strip(p, row, col - 1)));
        if (!row) return;
        const Strip &above = strip(p, row - 1, col);
        own.second = 1 + std::max(own.first, above.column_cuts ? above.first : complete(above));
    }

    std::vector<std::vector<Item>> strip_dispatches() {
        std::vector<std::vector<Item>> all;
        for (int level = 1, before = -1; before != static_cast<int>(all.size()); ++level) {
            before = static_cast<int>(all.size());
            for (const Kind kind : {Kind::first, Kind::second}) {
                std::vector<Item> items;
                for (int p = 0; p < 3; ++p)
                    for (int row = 0; row < picture_.sb_rows; ++row)
                        for (int col = 0; col + 1 < picture_.sb_cols; ++col) {
                            const Strip &s = strip(p, row, col);
                            if ((kind == Kind::first ? s.first : s.second) == level)
                                items.push_back({kind, p, row, col});
                        }
                if (!items.empty()) all.push_back(std::move(items));
            }
        }
        return all;
    }

    void add_lines(std::vector<Item> &items) const {
        for (int p = 0; p < 3; ++p)
            for (int row = 0; row < picture_.sb_rows; ++row)
                for (int col = 0; col < picture_.sb_cols; ++col)
                    for (int y = plane(p).top(row); y < plane(p).bottom(row); ++y)
                        items.push_back({Kind::line, p, row, col, y});
    }

    // One dispatch. In it, a workgroup has the superblocks of a column, and barriers between its
    // phases: a phase is checked as a dispatch.
    void run_columns() {
        std::vector<std::vector<Item>> phases(1);
        for (int p = 0; p < 3; ++p)
            for (int col = 0; col < picture_.sb_cols; ++col) {
                const bool last = col + 1 == picture_.sb_cols;
                for (int row = 0; row < picture_.sb_rows && !last; ++row)
                    phases[0].push_back({Kind::copy, p, row, col});
                const int end = plane(p).right(col) - (last ? 0 : strip_width);
                for (int x = plane(p).left(col); x < end; ++x)
                    add_column(p, col, x, phases);
            }
        for (std::vector<Item> &items : phases)
            dispatch(std::move(items));
    }

    void add_column(int p, int col, int x, std::vector<std::vector<Item>> &phases) const {
        size_t last_rows = 0; // the phase after which the superblock above is filtered to its end
        for (int row = 0; row < picture_.sb_rows; ++row) {
            const bool cut = column_place(p, row, x, false) != no_place;
            if (cut) phases[0].push_back({Kind::column, p, row, col, x, 0});
            if (phases.size() < last_rows + 2) phases.resize(last_rows + 2);
            if (row) phases[last_rows + 1].push_back({Kind::column, p, row, col, x, 1});
            last_rows = cut ? 0 : last_rows + 1;
        }
    }

    void dispatch(std::vector<Item> items) {
        random_.shuffle(items);
        monitor_.begin_dispatch();
        for (const Item &item : items) {
            monitor_.begin_item();
            switch (item.kind) {
            case Kind::first:
                first_task(item);
                break;
            case Kind::second:
                second_task(item);
                break;
            case Kind::line:
                filter_line(item);
                break;
            case Kind::column:
                filter_part_of_column(item);
                break;
            case Kind::copy:
                copy_strip(item);
                break;
            }
        }
    }

    // A strip in its slot, by positions in the plane. Above its own rows are the last ones of the
    // strip above.
    struct Slot {
        const CutRun &run;
        Memory &memory;
        const Plane &edges;
        int row, col;
        int x_of(int x) const { return x - edges.right(col) + strip_width * (col + 1); }
        int y_of(int y) const {
            return y - edges.top(row) + row * edges.sb_height + strip_width * (row + 1);
        }
        Sample load(int x, int y) { return memory.load(x_of(x), y_of(y)); }
        void store(int x, int y, Sample value) { memory.store(x_of(x), y_of(y), value); }
    };
    Slot slot(int p, int row, int col) {
        return {*this, slots_[static_cast<size_t>(p)], plane(p), row, col};
    }

    void first_task(const Item &item) {
        const Plane &edges = plane(item.plane);
        const int left = edges.left(item.col), right = edges.right(item.col),
                  top = edges.top(item.row);
        Memory &frame = frame_[static_cast<size_t>(item.plane)];
        Slot own = slot(item.plane, item.row, item.col);
        Slot before = slot(item.plane, item.row, item.col - 1);
        for (int y = top; y < edges.bottom(item.row); ++y) {
            Block block(left - strip_width, right, y, y + 1, [&](int x, int) {
                return x < left ? before.load(x, y) : frame.load(x, y);
            });
            const int place = row_place(item.plane, item.col, y);
            // Other edges do not reach the strip.
            if (edges.vertical_width(right - 8, y) || edges.vertical_width(right - 4, y))
                filter_row(edges, block.row(y), y, left + std::max(place, 0), right);
            for (int x = right - strip_width; x < right; ++x)
                own.store(x, y, block.get(x, y));
        }
        filter_strip(item, own, true);
    }

    // Edges between rows, behind the strip's cut or before it.
    void filter_strip(const Item &item, Slot &own, bool behind) {
        const Plane &edges = plane(item.plane);
        const bool cut = strip(item.plane, item.row, item.col).column_cuts;
        const int top = edges.top(item.row), bottom = edges.bottom(item.row),
                  right = edges.right(item.col);
        for (int x = right - strip_width; x < right; ++x) {
            const int at =
                cut ? std::min(top + column_place(item.plane, item.row, x, true), bottom) : bottom;
            filter_column(edges, ColumnOf<Slot>{own, x}, x, behind ? at : top,
                          behind ? bottom : at);
        }
    }

    void second_task(const Item &item) {
        const Plane &edges = plane(item.plane);
        const int right = edges.right(item.col), top = edges.top(item.row);
        Memory &frame = frame_[static_cast<size_t>(item.plane)];
        Slot own = slot(item.plane, item.row, item.col);
        Slot above = slot(item.plane, item.row - 1, item.col);
        for (int y = top - strip_width; y < top; ++y) {
            Block block(right - strip_width, right + strip_width, y, y + 1, [&](int x, int) {
                return x < right ? above.load(x, y) : frame.load(x, y);
            });
            filter_row(edges, block.row(y), y, right, right + 4);
            for (int x = right - strip_width; x < right; ++x)
                own.store(x, y, block.get(x, y));
        }
        if (wrong_ != WrongCut::no_second) filter_strip(item, own, false);
    }

    // In place, with the strip on the left in its slot.
    struct Line {
        Memory &frame;
        Slot before;
        int left, y;
        Sample get(int x) { return x < left ? before.load(x, y) : frame.load(x, y); }
        void set(int x, Sample value) {
            x < left ? before.store(x, y, value) : frame.store(x, y, value);
        }
    };
    void filter_line(const Item &item) {
        const Plane &edges = plane(item.plane);
        const int left = edges.left(item.col);
        Line line{frame_[static_cast<size_t>(item.plane)], slot(item.plane, item.row, item.col - 1),
                  left, item.line};
        filter_row(edges, line, item.line, left, edges.right(item.col));
    }

    void filter_part_of_column(const Item &item) {
        const Plane &edges = plane(item.plane);
        const int top = edges.top(item.row), bottom = edges.bottom(item.row), x = item.line;
        const int place = column_place(item.plane, item.row, x, false);
        const int at = place == no_place ? bottom : std::min(top + place, bottom);
        filter_column(edges, ColumnOf<Memory>{frame_[static_cast<size_t>(item.plane)], x}, x,
                      item.phase ? top : at, item.phase ? at : bottom);
    }

    // The last rows of a strip stand in the slot of the one below.
    void copy_strip(const Item &item) {
        const Plane &edges = plane(item.plane);
        const int right = edges.right(item.col), bottom = edges.bottom(item.row);
        for (int y = edges.top(item.row); y < bottom; ++y) {
            const bool below = y >= bottom - strip_width && item.row + 1 < picture_.sb_rows;
            Slot from = slot(item.plane, item.row + below, item.col);
            for (int x = right - strip_width; x < right; ++x)
                frame_[static_cast<size_t>(item.plane)].store(x, y, from.load(x, y));
        }
    }

    const Picture &picture_;
    Random &random_;
    const WrongCut wrong_;
    Monitor monitor_;
    std::vector<Memory> frame_, slots_;
    std::vector<Strip> strips_; // of the last column: unused
};

} // namespace

Outcome run_cuts(const Picture &picture, const Planes &expected, Random &random, WrongCut wrong) {
    return CutRun(picture, random, wrong).run(expected);
}

} // namespace v3doff::order::vp9
