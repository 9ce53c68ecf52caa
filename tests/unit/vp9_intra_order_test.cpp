// SPDX-License-Identifier: BSD-2-Clause
// The order of intra superblocks: whatever a block reads of another superblock was done before, in
// an earlier dispatch or earlier in the same workgroup.
#include <gtest/gtest.h>
#include <random>

#include "records/vp9_intra.h"
#include "vp9/intra/order.hpp"

namespace v3doff::vp9 {
namespace {

struct Block {
    uint32_t row, col, edge, mode; // in units of 8 samples
    bool tile_begins;
};

class Grid {
  public:
    Grid(uint32_t cols, uint32_t rows, uint32_t intra_in_ten, uint32_t seed)
        : cols_(cols), intra_in_ten_(intra_in_ten), random_(seed), borders_(cols * rows),
          intra_(cols * rows * 64) {
        for (uint32_t at = 0; at < borders_.size(); at++)
            divide(at, at / cols_ * 8, at % cols_ * 8, 8);
    }

    void check() {
        IntraOrder order;
        order.find(cols_, borders_, 1000 * (intra_in_ten_ % 4));
        find_places(order);
        for (const Block &block : blocks_)
            check(block);
        dispatches = order.dispatches().size();
    }
    size_t dispatches = 0;

  private:
    uint32_t below(uint32_t end) { return uint32_t(random_() % end); }
    bool &intra(uint32_t row, uint32_t col) { return intra_[row * cols_ * 8 + col].is; }
    uint32_t superblock(uint32_t row, uint32_t col) const { return row / 8 * cols_ + col / 8; }

    void divide(uint32_t at, uint32_t row, uint32_t col, uint32_t edge) {
        if (edge > 1 && below(3)) {
            for (uint32_t i = 0; i < 4; i++)
                divide(at, row + i / 2 * edge / 2, col + i % 2 * edge / 2, edge / 2);
            return;
        }
        if (below(10) >= intra_in_ten_) return;
        const Block block{row, col, edge, below(INTRA_TRUE_MOTION + 1),
                          col == 0 || (col % 24 == 0 && col < 48)};
        blocks_.push_back(block);
        borders_[at].add_block(row % 8, col % 8, edge, edge, 1u << block.mode, block.tile_begins);
        borders_[at].add_cost(1, edge * edge);
        for (uint32_t y = row; y < row + edge; y++)
            for (uint32_t x = col; x < col + edge; x++)
                intra(y, x) = true;
    }

    void find_places(const IntraOrder &order) {
        places_.assign(borders_.size(), {});
        uint32_t dispatch = 0, step = 0;
        for (const auto &groups : order.dispatches()) {
            dispatch++;
            for (uint32_t group = groups.first; group < groups.end; group++)
                for (uint32_t i = order.groups()[group].first; i < order.groups()[group].end; i++) {
                    Place &place = places_[order.superblocks()[i]];
                    EXPECT_EQ(place.dispatch, 0u) << "a superblock comes twice";
                    place = {dispatch, group, ++step};
                }
        }
        for (size_t at = 0; at < borders_.size(); at++)
            EXPECT_EQ(borders_[at].any, places_[at].dispatch != 0);
    }

    void expect_before(const Block &block, uint32_t row, uint32_t col) {
        const uint32_t from = superblock(row, col), to = superblock(block.row, block.col);
        if (from == to || !intra(row, col)) return;
        const Place &a = places_[from], &b = places_[to];
        EXPECT_TRUE(a.dispatch < b.dispatch || (a.group == b.group && a.step < b.step))
            << "mode " << block.mode << " at " << block.row << "," << block.col;
    }

    // 8.5.1.2, by the names of the modes.
    void check(const Block &block) {
        bool left = false, above = false, corner = false;
        switch (block.mode) {
        case INTRA_VERTICAL:
        case INTRA_DOWN_LEFT:
        case INTRA_VERTICAL_LEFT:
            above = true;
            break;
        case INTRA_HORIZONTAL:
        case INTRA_HORIZONTAL_UP:
            left = true;
            break;
        case INTRA_DC:
            left = above = true;
            break;
        default:
            left = above = corner = true;
        }
        left &= !block.tile_begins, corner &= !block.tile_begins && block.row > 0;
        above &= block.row > 0;
        for (uint32_t i = 0; i < block.edge; i++) {
            if (left) expect_before(block, block.row + i, block.col - 1);
            if (above) expect_before(block, block.row - 1, block.col + i);
        }
        if (corner) expect_before(block, block.row - 1, block.col - 1);
    }

    struct Place {
        uint32_t dispatch = 0, group = 0, step = 0;
    };
    struct Unit {
        bool is = false;
    };
    uint32_t cols_, intra_in_ten_;
    std::mt19937 random_;
    std::vector<IntraBorder> borders_;
    std::vector<Unit> intra_;
    std::vector<Block> blocks_;
    std::vector<Place> places_;
};

TEST(Vp9IntraOrder, WhatIsReadWasDone) {
    for (uint32_t seed = 0; seed < 300; seed++) {
        Grid grid(1 + seed % 9, 1 + seed / 9 % 7, 1 + seed % 10, seed);
        grid.check();
    }
}

TEST(Vp9IntraOrder, AFewBlocksAreOneDispatch) {
    std::vector<IntraBorder> borders(30 * 17);
    for (IntraBorder &border : borders) {
        border.add_block(0, 0, 8, 8, 1u << INTRA_DC, false);
        border.add_cost(0, 256);
    }
    IntraOrder order;
    order.find(30, borders, 13200);
    EXPECT_EQ(order.dispatches().size(), 46u); // all of it intra: a dispatch for each level
    std::fill(borders.begin(), borders.end(), IntraBorder());
    for (uint32_t at = 0; at < 10; at++) {
        borders[at].add_block(0, 0, 8, 8, 1u << INTRA_DC, at == 0);
        borders[at].add_cost(3, 4);
    }
    order.find(30, borders, 13200);
    EXPECT_EQ(order.dispatches().size(), 1u); // a chain is as long, whoever does it
    EXPECT_EQ(order.groups().size(), 1u);
    std::fill(borders.begin(), borders.end(), IntraBorder());
    for (uint32_t at = 0; at < 10; at++) {
        borders[at].add_block(0, 0, 1, 8, 1u << INTRA_VERTICAL, false);
        borders[at].add_cost(1, 8);
    }
    order.find(30, borders, 13200);
    EXPECT_EQ(order.dispatches().size(), 1u); // none reads another
    EXPECT_EQ(order.groups().size(), 10u);
}

} // namespace
} // namespace v3doff::vp9
