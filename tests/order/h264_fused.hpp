// SPDX-License-Identifier: BSD-2-Clause
// The same result in two dispatches or in one: what the four passes hand over through A and T is
// computed again by whoever needs it, because in the end all of it is a function of R.
// README.md, section 3.
#pragma once

#include "h264_passes.hpp"

namespace v3doff::order::h264 {

class Fused {
  public:
    // dispatches: 2 (strips, then tiles of tile_rows units one above the other) or 1.
    Fused(const Picture &picture, Random &random, int dispatches, int tile_rows);

    void run();
    const Monitor &monitor() const { return monitor_; }
    long differences(const std::vector<std::vector<Sample>> &expected) const;

  private:
    using Strip = std::vector<Sample>; // rows from -upper_rows, strip columns each

    // The strip of a unit after its own edges (T), under it the finished last rows of the strip
    // above. R is all that it reads.
    Strip whole_strip(int plane, int row, int col);
    void strip_item(const Item &item);
    void tile_item(const Item &item);
    template <class Tile>
    void filter_tile(Tile &block, const Item &item);
    template <class Tile>
    void store_tile(Tile &block, const Item &item);
    const Strip &own_strip(int plane, int row, int col);
    Sample strip_sample(int plane, int col, int x, int y);
    Sample finished_sample(int plane, int col, int x, int y);
    void dispatch(bool tiles);
    // Rows above a unit whose vertical edges a column of the unit needs.
    int halo(int plane, int row, int col) const;
    Memory &at(std::vector<Memory> &planes, int plane) {
        return planes[static_cast<size_t>(plane)];
    }

    const Picture &picture_;
    Random &random_;
    int dispatches_, tile_rows_;
    Edges edges_;
    Monitor monitor_;
    std::vector<Memory> r_, t_, g_;
    std::vector<std::pair<int, Strip>> strips_; // of the present item, by row: one dispatch only
};

} // namespace v3doff::order::h264
