// SPDX-License-Identifier: BSD-2-Clause
// In which order the superblocks of a picture that have intra blocks can be done. No Vulkan here.
//
// A superblock comes after those on the left, above and above left whose intra blocks its own read;
// its level is one more than the highest of theirs. A dispatch does the superblocks of some levels
// that follow each other, and a workgroup those that depend on each other, one after the other.
// Superblocks with a few blocks so need few dispatches, while those that are all intra keep one for
// each level: their turns would cost more than a dispatch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace v3doff::vp9 {

// Where the intra blocks of a superblock lie along its border, and what they read beyond it, in
// units of 8 luma samples.
struct IntraBorder {
    uint8_t right = 0, bottom = 0; // rows of the last column, columns of the last row
    uint8_t left = 0, above = 0;   // rows of the superblock on the left, columns of the one above
    bool corner = false;           // the last sample of the one above left
    bool any = false;              // there are intra blocks
    uint32_t chain = 0;            // instructions until all blocks are done, one after the other

    // A block of the superblock: first row and column, and how many, in the same units. modes: a
    // bit for each (records/vp9_intra.h). tile_begins: nothing on the left is read.
    void add_block(uint32_t row, uint32_t col, uint32_t rows, uint32_t cols, uint32_t modes,
                   bool tile_begins);
    // Transform blocks of the plane that has most, luma.
    void add_cost(uint32_t tx, uint32_t count);
};

class IntraOrder {
  public:
    // A workgroup: superblocks in the order in which they are done. Of each dispatch the groups.
    struct Group {
        uint32_t first, end; // in superblocks()
    };
    struct Dispatch {
        uint32_t first, end; // in groups()
    };
    // dispatch_cost: instructions of a chain that take as long as a dispatch more.
    void find(uint32_t cols, std::span<const IntraBorder> borders, uint32_t dispatch_cost);

    std::span<const uint32_t> superblocks() const { return order_; }
    std::span<const Group> groups() const { return groups_; }
    std::span<const Dispatch> dispatches() const { return dispatches_; }

  private:
    template <typename Visit>
    void each_read(uint32_t at, Visit visit) const;
    void find_levels();
    uint32_t root_of(uint32_t at);
    uint32_t add_level(uint32_t level, uint32_t first);
    uint32_t longest_of(uint32_t level) const;
    void end_dispatch(uint32_t first, uint32_t end);

    uint32_t cols_ = 0;
    std::span<const IntraBorder> borders_;
    std::vector<uint16_t> level_;    // of each superblock; 0: no intra blocks
    std::vector<uint32_t> by_level_; // superblocks, those of a level from level_begin_ on
    std::vector<uint32_t> level_begin_;
    std::vector<uint32_t> parent_; // towards the one that stands for a group
    std::vector<uint32_t> chain_;  // of a group, at the one that stands for it
    std::vector<uint32_t> group_;  // its number, at the same place
    std::vector<uint32_t> order_;
    std::vector<Group> groups_;
    std::vector<Dispatch> dispatches_;
};

} // namespace v3doff::vp9
