// SPDX-License-Identifier: BSD-2-Clause
// Keeps packed superblocks, because streams repeat them. In a 1080p clip at 10 Mb/s, nine of ten
// have the marks and levels of one of the last hundred. Comparing takes a tenth of the time.
#pragma once

#include <array>
#include <memory>

#include "vp9/filter/lines.hpp"

namespace v3doff::vp9 {

class FilterMemo {
  public:
    static FilterMemo &of_thread(); // each thread has its own, for all its pictures

    // The same as pack_superblock().
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
