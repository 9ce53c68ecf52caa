// SPDX-License-Identifier: BSD-2-Clause
// The standard's order of the VP9 loop filter, and the two that the GPU has: README.md, sections 3
// to 5.
#pragma once

#include "vp9_picture.hpp"

namespace v3doff::order::vp9 {

using Planes = std::vector<std::vector<Sample>>;

// The order of the specification: superblocks in raster order, in each the vertical edges of a
// plane, then the horizontal ones.
Planes raster_order(const Picture &picture);
Planes vertical_then_horizontal(const Picture &picture);

struct Outcome {
    long differences = 0, violations = 0;
    int dispatches = 0;
    std::string violation;
    bool good() const { return !differences && !violations; }
};

// The skewed wavefront. Rows of superblocks form groups, one after the other; a group of a plane is
// a work item, with barriers between its phases. In a step, each row takes one superblock: first
// its vertical edges, then its horizontal ones.
struct Wave {
    int group_rows, steps; // of a dispatch
    int skew = 1;          // columns by which a row is behind the one above
    int lag = 0;           // columns by which a group is behind the one above

    static Wave of(int group_rows, int steps) { return {group_rows, steps, 1, steps + group_rows}; }
    // Each phase is a dispatch of its own, so that no superblock may need another of its phase.
    static Wave of_phases(int rows) { return {rows, 1, 1, 0}; }
};
Outcome run_wave(const Picture &picture, const Planes &expected, Random &random, const Wave &wave,
                 bool dispatch_for_each_phase = false);

// Cut passes: where the masks allow it, few dispatches.
enum class WrongCut {
    nothing,
    ignore_cuts,     // every strip as if it had both cuts
    one_less,        // the last two levels of strips in one dispatch
    no_second,       // what is above a strip's cut is forgotten
    lines_too_early, // all vertical edges in one dispatch with the last strips
};
Outcome run_cuts(const Picture &picture, const Planes &expected, Random &random,
                 WrongCut wrong = WrongCut::nothing);

} // namespace v3doff::order::vp9
