// SPDX-License-Identifier: BSD-2-Clause
// VP9 in few dispatches where the masks allow it: README.md, section 6.
#pragma once

#include "vp9_wavefront.hpp"

namespace v3doff::order::vp9 {

constexpr int strip_width = 8; // columns and rows that the next superblock's first edge reads

// Filtering one line of a superblock in order: positions count from the superblock.
struct Chain {
    // The first edge whose result owes nothing to the superblock before it, or the line's length.
    int first_free;
    // Nothing that reaches the last 8 samples does: a cut.
    bool cut;
};
Chain vertical_chain(const Plane &plane, int row, int col, int y);
Chain horizontal_chain(const Plane &plane, int row, int x);

// Dispatches, counted from 1, in which the strip of a superblock becomes ready.
struct StripPlan {
    bool vertical_cut = false;   // all rows
    bool horizontal_cut = false; // all columns
    int tail = 0;  // last 8 rows, if in a dispatch of their own (0: together with the rest)
    int whole = 0; // everything
    int needs = 0; // all that a recomputation of the last 8 rows reads is in memory after this one
};

// tails: whether the last rows of a strip are handed to the strip below in memory (and then cost a
// dispatch) or computed again by it.
enum class Tails { stored, recomputed };

struct Plan {
    std::vector<std::vector<StripPlan>> strips; // [plane][row * (sb_cols - 1) + col]
    int strip_dispatches = 0;
    int missing_cuts = 0;
    // Found by walking along missing cuts, without the dispatch numbers: see chain_step().
    int longest_chain = 0;
    // Strips, then all vertical edges, then all horizontal ones.
    int dispatches() const { return strip_dispatches + 2; }
};
Plan plan(const Picture &picture, Tails tails);

// Wrong orders that must be detected.
enum class WrongCut {
    nothing,
    ignore_cuts,     // every strip as if it had both cuts
    one_less,        // the last two strip dispatches in one
    lines_too_early, // all vertical edges in one dispatch with the last strips
};

enum Buffer { buffer_r, buffer_t, buffer_g };
// In the reach tables: parts of these that are not the item's own superblock (of T: the strip to
// the left of it).
enum Part { part_r_above = 3, part_r_up_right, part_t_above, part_t_above_left, part_g_left };

struct Item {
    enum Kind { tail, whole, row_line, column_line } kind;
    int plane, row, col;
    int line = 0, from = 0, to = 0; // row; column of the plane and its rows
};

class CutPasses {
  public:
    CutPasses(const Picture &picture, Random &random, Tails tails,
              WrongCut wrong = WrongCut::nothing);
    void run();

    const Plan &plan() const { return plan_; }
    const Monitor &monitor() const { return monitor_; }
    long differences(const Planes &expected) const;

  private:
    // A local copy of a superblock's strip with all that leads to it.
    template <class Local>
    void strip_rows(Local &block, const Item &item, int base, int from);
    template <class Local>
    void strip_tail(Local &block, const Item &item, int base);
    void tail_item(const Item &item);
    void whole_item(const Item &item);
    void row_item(const Item &item);
    void column_item(const Item &item);

    void dispatch(std::vector<Item> items);
    std::vector<Item> strip_items(int dispatch) const;
    std::vector<Item> row_items() const;
    std::vector<Item> column_items() const;
    const Plane &plane(const Item &item) const {
        return picture_.planes[static_cast<size_t>(item.plane)];
    }
    const StripPlan &strip(int plane, int row, int col) const {
        return plan_.strips[static_cast<size_t>(plane)]
                           [static_cast<size_t>(row * (picture_.sb_cols - 1) + col)];
    }
    Memory &at(std::vector<Memory> &planes, const Item &item) {
        return planes[static_cast<size_t>(item.plane)];
    }

    const Picture &picture_;
    Random &random_;
    Tails tails_;
    WrongCut wrong_;
    Plan plan_;
    Monitor monitor_;
    std::vector<Memory> r_, t_, g_;
};

// Where a column may be divided: rows that no edge's samples straddle, the first of each superblock
// that has one. Segments between them need nothing of each other.
std::vector<int> segments(const Plane &plane, int x);

} // namespace v3doff::order::vp9
