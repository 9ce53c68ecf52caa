// SPDX-License-Identifier: BSD-2-Clause
// Turns a decoder's masks into the records that the loop filter's shaders read.
#pragma once

#include <array>
#include <memory>

#include "records/vp9_filter.h"
#include "vp9/filter/input.hpp"
#include "vp9/filter/order.hpp"

namespace v3doff::vp9 {

// FilterLine records of one superblock.
unsigned lines_of_superblock(const PictureFormat &format);

// What a superblock passes to the one below it: for each line between rows of luma and of chroma,
// the phase after which it no longer changes the line's last 8 rows. 1 if there is a cut.
using LastRows = uint32_t[2][8];

// Packs superblocks, and keeps the results, because streams repeat them. In a 1080p clip at 10
// Mb/s, nine of ten have the marks and levels of one of the last hundred. Comparing is ten times
// as fast as packing.
class FilterMemo {
  public:
    static FilterMemo &of_thread(); // each thread has its own, for all its pictures

    // Writes the records. cuts: one for luma's marks and one for chroma's, if it has its own.
    // last_rows: on entry of the superblock above, on return of this one. Returns whether there is
    // an edge to filter. phases becomes the highest phase of a line, if that is higher.
    bool pack(const FilterInput &input, uint32_t row, uint32_t col, unsigned line_count,
              FilterLine *lines, StripCuts (&cuts)[2], LastRows &last_rows, uint32_t &phases);

  private:
    struct Entry {
        // All that the result depends on. place is 0 in an empty entry.
        FilterSuperblock superblock;
        LastRows rows_above;
        uint32_t place;
        // The result.
        uint32_t phases;
        FilterLine lines[32];
        LastRows last_rows;
        StripCuts cuts[2];
        bool any;

        bool is_of(const FilterSuperblock &other, const LastRows &above, uint32_t at) const;
    };
    static uint32_t hash(const FilterSuperblock &superblock, uint32_t place);

    static constexpr uint32_t log2_entries = 8;
    std::unique_ptr<std::array<Entry, 1 << log2_entries>> entries_;
    Entry *last_ = nullptr; // used last
};

} // namespace v3doff::vp9
