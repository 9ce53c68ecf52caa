// SPDX-License-Identifier: BSD-2-Clause
// The order in which the GPU filters superblocks: pure arithmetic, no device.
//
// The skewed wavefront. The standard's order is raster order, each superblock's edges between
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
#pragma once

#include <cstdint>

namespace v3doff::vp9 {

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

} // namespace v3doff::vp9
