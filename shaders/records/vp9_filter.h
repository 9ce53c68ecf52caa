// SPDX-License-Identifier: BSD-2-Clause
// Records of the VP9 loop filter, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_VP9_FILTER_H
#define V3DOFF_RECORDS_VP9_FILTER_H

#include "records/record.h"

RECORDS_BEGIN(v3doff::vp9)

// One line of up to 8 blocks of 8x8 samples along the axis that is filtered: a row of them for edges
// between columns, a column for edges between rows.
//   marks: 4 bits for each block, first block lowest: bits 0 and 1 are the FILTER_* size of the
//     edge before the block, bit 2 is set for a 4-wide edge through its middle, bit 3 is clear.
//     Edges that are not filtered are not marked.
//   levels: a byte for each block, first block lowest in levels_0.
//   cut: FILTER_CUT: from which bit of marks on they are behind a cut, a place that no edge reads
//     across, so that what they do does not depend on what is before it (vp9/filter/order.hpp).
//     Without a cut 0 for edges between columns and 32 for edges between rows; in the first row of
//     superblocks 0. FILTER_PHASE, for edges between rows: the phase that filters what is before the
//     cut, from 2 on.
struct FilterLine {
    uint marks;
    uint levels_0, levels_1;
    uint cut;
};
const Bits FILTER_CUT = {0, 8}, FILTER_HALF_CUT = {1, 5}, FILTER_PHASE = {8, 24};

// A superblock in the arena: 8 lines of luma for edges between columns, 8 for edges between rows;
// then, unless chroma is not subsampled and uses luma's, its lines: 8 >> shift_y for edges between
// columns and 8 >> shift_x for edges between rows. Superblocks stand in raster order, the first one
// at a multiple of 4 words.

const uint FILTER_4 = 1;
const uint FILTER_8 = 2;
const uint FILTER_16 = 3;

// Push constants of every loop filter shader. Offsets and strides count 32-bit words and are
// multiples of 4.
struct FilterPush {
    uint plane_offset_0, plane_offset_1, plane_offset_2;
    uint plane_stride_0, plane_stride_1; // chroma planes have the same
    uint width, height;       // luma samples, whole 8x8 blocks
    uint cols, rows;          // superblocks
    uint lines;               // the first superblock's first line: word of the arena / 4
    uint superblock_lines;    // lines of a superblock
    uint format;              // FILTER_FORMAT_* bits
    uint limit_shift;         // 8.8.4: limit = clamp(level >> shift, 1, cap)
    uint limit_cap;
    uint zero;                // is 0, and the compiler must not know
    // The wavefront (vp9/filter/order.hpp).
    uint wave_col;            // column of the first group's first row in this dispatch's first step
    uint wave_steps;
    uint wave_rows;           // superblock rows of a group
    uint wave_lag;            // columns by which a group stands behind the one above
    // The cut passes: tasks of this dispatch, of luma's and of chroma's strips, a word of the arena
    // each (FILTER_TASK_*). Their results are slots in the scratch buffer, see vp9/filter_slots.glsl.
    uint tasks_0, task_count_0, tasks_1, task_count_1;
    uint row_phases;          // of the last pass
    uint row_units;           // units of 4 columns that a workgroup of the last pass has
    uint row_units_inverse;   // 65536 / row_units, rounded up
    uint row_groups;          // workgroups that filter; those behind them copy strips
};

const Bits FILTER_TASK_ROW = {0, 16}, FILTER_TASK_COL = {16, 16};

const uint FILTER_FORMAT_SHIFT_X = 1; // chroma has half the columns
const uint FILTER_FORMAT_SHIFT_Y = 2; // chroma has half the rows
const uint FILTER_FORMAT_OWN_MARKS = 4; // chroma has marks of its own
const uint FILTER_FORMAT_PAIRED = 8; // one workgroup takes both chroma planes

const uint FILTER_LANES = 128; // invocations of a workgroup

RECORD_LAYOUT(sizeof(FilterLine) == 16 && offsetof(FilterLine, cut) == 12)
RECORD_LAYOUT(sizeof(FilterPush) == 108 && offsetof(FilterPush, zero) == 56)
RECORD_LAYOUT(offsetof(FilterPush, wave_col) == 60 &&
              offsetof(FilterPush, tasks_0) == 76)
RECORDS_END

#endif
