// SPDX-License-Identifier: BSD-2-Clause
// The two orders in which the GPU filters a picture: pure arithmetic, no device.
// tests/order/README.md has the proofs.
#pragma once

#include <cstdint>
#include <vector>

namespace v3doff::vp9 {

// Skewed wavefront. The standard's order is raster order, each superblock's edges between
// columns (V) before its edges between rows (H). V(r, c) changes the last columns of (r, c - 1) and
// H(r, c) the last rows of (r - 1, c), each after those have been filtered themselves. So it is
// enough that
//   V(r, c) comes after H(r, c - 1), and
//   H(r, c) comes after V(r, c), H(r - 1, c) and V(r - 1, c + 1),
// which holds when every superblock with r + c = t has its V at time 2t and its H at 2t + 1.
//
// Superblock rows form groups. A group of one plane is a workgroup, with barriers between its
// phases. In a step each row of the group takes one superblock, one column behind the row above it.
// A dispatch makes `steps` steps. For its H, a group's first row needs the V one column further
// right in the group above, from an earlier dispatch: each group is `lag` = steps + group_rows
// columns behind the one above. A rectangle of superblocks as workgroup would need as many
// dispatches, but fill and drain the diagonal in each of them: 80 steps, not 64, at 1080p with 4x2.
struct FilterWave {
    uint32_t rows, cols;             // of superblocks
    uint32_t group_rows, groups = 0; // rows of a group; the last group may have fewer
    uint32_t steps, lag, dispatches;

    // The column of a group's first row in the first step of a dispatch; negative if the group has
    // not begun. A row further down, or a step earlier, is one column to the left.
    int64_t first_col(uint32_t dispatch, uint32_t group) const {
        return int64_t(dispatch) * steps - int64_t(group) * lag;
    }
};

// The grouping with the least expected time. A workgroup has room for max_group_rows.
FilterWave plan_wave(uint32_t rows, uint32_t cols);

// Cut passes: few dispatches where the masks allow it.
//
// A cut of a line is a place that no edge reads across. What an edge behind it computes does not
// depend on anything before it. A strip is the last 8 columns of a superblock that has a right
// neighbour. Only a strip is filtered between rows before the neighbour filters its first edge,
// which changes the strip again. So the strips are done first, into slots of their own:
//   first task:  V from the cuts of the superblock's rows on, as far as it concerns the strip; then
//                H on the strip from its cut on. It only needs the unfiltered picture.
//   second task: the last 8 rows of the strip above still lack the neighbour's first edge between
//                columns and the edges between rows below it. This task does both, and H on the
//                strip down to its cut. It needs the first tasks of this strip and the one above.
// After the strips all V can be done at once, then all H except the strips': two more dispatches.
// Without a cut, a task takes the whole line and must wait: a first task for the second task of the
// left strip, a second task for the second task of the strip above. Tasks of the same level and
// kind form one dispatch.

// The places where a line can be cut, two bits for each multiple of 4 samples; the last place is
// taken. They all leave the last block behind the cut. marks: of a line of 4 or 8 blocks, as in
// records/vp9_filter.h. Marks is uint32_t or a vector of them.
template <typename Marks>
Marks free_places(Marks marks, unsigned blocks) {
    // Edges read 4 samples on both sides, and so block only their own place. 16-wide ones read 8
    // samples, and also block the places beside theirs.
    const Marks wide = marks & marks >> 1 & 0x11111111;
    const Marks edges = ((marks | marks >> 1) & 0x11111111) | (marks & 0x44444444);
    // From 4 samples behind the first one on to the beginning of the last block.
    const uint32_t places = blocks == 8 ? 0x15555554 : 0x00001554;
    return ~(edges | wide << 2 | wide >> 2) & places;
}

struct StripCuts {
    bool columns = true; // all rows of the superblock have a cut, or need none
    bool rows = true;    // the strip has a cut
};

// The level of each strip's tasks, in raster order; levels count from 1. Strips of the first row
// have no second task: 0.
struct StripLevels {
    std::vector<uint16_t> first, second;

    // cuts: of rows * (cols - 1) strips in raster order.
    void plan(uint32_t rows, uint32_t cols, const std::vector<StripCuts> &cuts);

  private:
    std::vector<uint16_t> last_rows_;
};

// Tasks of one kind, sorted by level.
class StripTasks {
  public:
    void sort(uint32_t rows, uint32_t cols, const std::vector<uint16_t> &levels);
    // All strips from a row on, at one level: the result of sort() for most pictures.
    void take_all(uint32_t first_row, uint32_t rows, uint32_t cols, uint32_t level);
    uint32_t levels() const { return uint32_t(end_.size()) - 1; }
    uint32_t count(uint32_t level) const {
        return level <= levels() ? end_[level] - end_[level - 1] : 0;
    }
    // count(level) words, as FilterPush::tasks_0 has them.
    const uint32_t *words(uint32_t level) const { return words_.data() + end_[level - 1]; }

  private:
    std::vector<uint32_t> words_, end_ = {0}; // end_[0] is 0
};

// All tasks of a picture's strips, for each set of masks. Keeps its memory from picture to picture.
class CutPasses {
  public:
    enum Kind : unsigned { first_tasks, second_tasks, kinds };

    // cuts: for the masks of luma and of chroma; the latter are empty if chroma uses luma's.
    void plan(uint32_t rows, uint32_t cols, const std::vector<StripCuts> (&cuts)[2]);

    uint32_t levels() const { return levels_; }
    const StripTasks &tasks(Kind kind, unsigned set) const { return tasks_[kind][set]; }
    uint32_t count(Kind kind, uint32_t level) const {
        return tasks_[kind][0].count(level) + tasks_[kind][1].count(level);
    }
    // One for each level and kind, and the two of all lines.
    uint32_t dispatches() const;

  private:
    StripLevels strips_;
    StripTasks tasks_[kinds][2];
    uint32_t levels_ = 0;
};

} // namespace v3doff::vp9
