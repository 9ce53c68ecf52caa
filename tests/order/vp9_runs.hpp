// SPDX-License-Identifier: BSD-2-Clause
// Ways to execute a grid of tiles, all in place in one buffer a plane.
#pragma once

#include "vp9_wavefront.hpp"

#include <array>
#include <optional>
#include <string>

namespace v3doff::order::vp9 {

struct Outcome {
    long differences = 0, violations = 0;
    std::string violation;
    bool deadlock = false;
    int dispatches = 0;
    Reach reach; // of units; filled when a tile is one superblock
    bool good() const { return !differences && !violations && !deadlock; }
};

// What a tile must not wait for in a wrong order.
enum class Forget { nothing, left, above };

using Strips = std::array<int, 3>; // columns, for each plane

// One barrier between two dispatches; the tiles of all planes inside one in random order.
Outcome run_dispatches(const Picture &picture, const Planes &expected, Random &random,
                       const Grid &grid, const Strips &strips);

// Any order at all that the waiting allows: a random one of them.
Outcome run_topological(const Picture &picture, const Planes &expected, Random &random,
                        const Grid &grid, const Strips &strips, Forget forget = Forget::nothing);

// One dispatch with a flag for each tile. At most resident workgroups run at a time; a workgroup
// that is through makes room for the next one in raster order (descending: in the opposite order,
// which can lock up). Which of the resident ones goes on is random.
Outcome run_flags(const Picture &picture, const Planes &expected, Random &random, const Grid &grid,
                  const Strips &strips, int resident, bool descending = false);

// What the one-dispatch form costs, for one plane.
struct FlagCounts {
    int tiles, waits, longest_chain, widest;
};
FlagCounts flag_counts(const Grid &grid);

} // namespace v3doff::order::vp9
