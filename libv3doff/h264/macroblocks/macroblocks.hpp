// SPDX-License-Identifier: BSD-2-Clause
// The macroblocks that a decoder has handed over of a picture, from which others are filtered and
// predicted. As a stage it only brings them to the device.
#pragma once

#include <vector>

#include "h264/lines.hpp"
#include "h264/macroblocks/table.hpp"
#include "picture/dump.hpp"

namespace v3doff::h264 {

// Where a table is in the arena, in words.
struct MacroblockPlaces {
    uint32_t macroblocks, motion, slice_tables;
};

class Macroblocks final : public Stage {
  public:
    // A frame, or a field.
    struct Part : MacroblockTable {
        bool known = false;
        MacroblockArea area; // of all rows so far
        bool whole = false;  // every row of the picture
        MacroblockPlaces places{};
    };

    // Takes `rows` rows of macroblocks from first_row on, which must follow those that are known.
    // Throws INVALID_ARGUMENT with what is wrong with them, and INVALID_STATE if they do not
    // follow.
    Part &record(const MacroblockArea &all, const Arrays &input, uint32_t first_row, uint32_t rows);
    // Those of exactly these lines. Null: nothing is known.
    Part *of(const Lines &lines);

    uint64_t records() const override { return 0; } // others do something with them
    bool active() const override { return part_[0].known || part_[1].known; }
    void clear() override;
    std::optional<RowRange> extent(const PictureFormat &) const override { return RowRange(); }
    void plan(const SampleMap &map, Plan &plan) override;
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    void run_cpu(const PictureView &) override {}

  private:
    Part part_[2]; // a frame, or the top field; the bottom field
    DumpWriter arrays_;
};

} // namespace v3doff::h264
