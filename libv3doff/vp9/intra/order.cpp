// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/intra/order.hpp"

#include <algorithm>

#include "records/vp9_intra.h"
#include "util/divide.hpp"

namespace v3doff::vp9 {
namespace {

// Which neighbours the modes read, 8.5.1.2. Modes whose neighbours are missing read less.
constexpr uint32_t mode_bit(uint32_t mode) {
    return 1u << mode;
}
constexpr uint32_t modes_of_corner = mode_bit(INTRA_DOWN_RIGHT) | mode_bit(INTRA_VERTICAL_RIGHT) |
                                     mode_bit(INTRA_HORIZONTAL_DOWN) | mode_bit(INTRA_TRUE_MOTION);
constexpr uint32_t modes_of_left = modes_of_corner | mode_bit(INTRA_HORIZONTAL) |
                                   mode_bit(INTRA_DC) | mode_bit(INTRA_HORIZONTAL_UP);
constexpr uint32_t modes_of_above = modes_of_corner | mode_bit(INTRA_VERTICAL) |
                                    mode_bit(INTRA_DC) | mode_bit(INTRA_DOWN_LEFT) |
                                    mode_bit(INTRA_VERTICAL_LEFT);

// Counted in the listing of vp9_intra_8: of a vector for each block, for samples beside it that
// its lanes read, and for words of four samples that they make.
constexpr uint32_t intra_block_cost = 120, intra_edge_cost = 70, intra_word_cost = 345;

} // namespace

void IntraBorder::add_block(uint32_t row, uint32_t col, uint32_t block_rows, uint32_t block_cols,
                            uint32_t modes, bool tile_begins) {
    const uint32_t rows = ((1u << block_rows) - 1) << row, cols = ((1u << block_cols) - 1) << col;
    any = true;
    if (col + block_cols == 8) right |= uint8_t(rows);
    if (row + block_rows == 8) bottom |= uint8_t(cols);
    const bool beside = col == 0 && !tile_begins, below = row == 0;
    if (beside && modes & modes_of_left) left |= uint8_t(rows);
    if (below && modes & modes_of_above) above |= uint8_t(cols);
    if (!(modes & modes_of_corner)) return;
    if (beside) left |= uint8_t(rows >> 1);
    if (below) above |= uint8_t(cols >> 1);
    corner |= beside && below;
}

void IntraBorder::add_cost(uint32_t tx, uint32_t count) {
    const uint32_t edge = 4u << tx, beside = edge + std::max(edge, 8u) + 1, words = edge * edge / 4;
    chain += count * (intra_block_cost + divide_up(beside, INTRA_LANES) * intra_edge_cost +
                      divide_up(words, INTRA_LANES) * intra_word_cost);
}

// Those whose intra blocks this superblock reads.
template <typename Visit>
void IntraOrder::each_read(uint32_t at, Visit visit) const {
    const IntraBorder &border = borders_[at];
    const bool has_left = at % cols_, has_above = at >= cols_;
    if (has_left && border.left & borders_[at - 1].right) visit(at - 1);
    if (has_above && border.above & borders_[at - cols_].bottom) visit(at - cols_);
    if (has_left && has_above && border.corner && borders_[at - cols_ - 1].right & 0x80)
        visit(at - cols_ - 1);
}

void IntraOrder::find_levels() {
    level_.assign(borders_.size(), 0);
    level_begin_.assign(2, 0);
    for (uint32_t at = 0; at < borders_.size(); at++) {
        if (!borders_[at].any) continue;
        uint16_t before = 0;
        each_read(at, [&](uint32_t other) { before = std::max(before, level_[other]); });
        level_[at] = uint16_t(before + 1);
        if (level_[at] + 1u >= level_begin_.size()) level_begin_.resize(level_[at] + 2u);
        level_begin_[level_[at] + 1u]++;
    }
    for (size_t level = 1; level < level_begin_.size(); level++)
        level_begin_[level] += level_begin_[level - 1];
    by_level_.resize(level_begin_.back());
    group_ = level_begin_; // where the next one of each level goes
    for (uint32_t at = 0; at < borders_.size(); at++)
        if (level_[at]) by_level_[group_[level_[at]]++] = at;
}

uint32_t IntraOrder::root_of(uint32_t at) {
    while (parent_[at] != at)
        at = parent_[at] = parent_[parent_[at]];
    return at;
}

// One more level for a dispatch that began with level `first`. Returns the longest chain of those
// that it makes longer.
uint32_t IntraOrder::add_level(uint32_t level, uint32_t first) {
    uint32_t longest = 0;
    for (uint32_t i = level_begin_[level]; i < level_begin_[level + 1]; i++) {
        const uint32_t at = by_level_[i];
        parent_[at] = at;
        chain_[at] = borders_[at].chain;
        each_read(at, [&](uint32_t other) {
            if (level_[other] < first) return;
            const uint32_t root = root_of(other), own = root_of(at);
            if (root == own) return;
            parent_[own] = root;
            chain_[root] += chain_[own];
        });
        longest = std::max(longest, chain_[root_of(at)]);
    }
    return longest;
}

uint32_t IntraOrder::longest_of(uint32_t level) const {
    uint32_t longest = 0;
    for (uint32_t i = level_begin_[level]; i < level_begin_[level + 1]; i++)
        longest = std::max(longest, borders_[by_level_[i]].chain);
    return longest;
}

// The levels from `first` on, before `end`.
void IntraOrder::end_dispatch(uint32_t first, uint32_t end) {
    for (uint32_t level = first; level < end; level++)
        add_level(level, first);
    const auto members =
        std::span(by_level_).subspan(level_begin_[first], level_begin_[end] - level_begin_[first]);
    const auto begin = uint32_t(groups_.size());
    // How many superblocks each group has, then where the next one goes.
    for (const uint32_t at : members)
        group_[root_of(at)] = UINT32_MAX;
    for (const uint32_t at : members) {
        uint32_t &group = group_[root_of(at)];
        if (group == UINT32_MAX) {
            group = uint32_t(groups_.size());
            groups_.push_back({});
        }
        groups_[group].end++;
    }
    auto next = uint32_t(order_.size());
    order_.resize(next + members.size());
    for (uint32_t i = begin; i < groups_.size(); i++) {
        const uint32_t count = groups_[i].end;
        groups_[i] = {next, next};
        next += count;
    }
    for (const uint32_t at : members)
        order_[groups_[group_[root_of(at)]].end++] = at;
    dispatches_.push_back({begin, uint32_t(groups_.size())});
}

// A level goes into the dispatch of those before it if that makes the longest chain no longer than
// what the level would take alone, with the dispatch that it would cost.
void IntraOrder::find(uint32_t cols, std::span<const IntraBorder> borders, uint32_t dispatch_cost) {
    cols_ = cols, borders_ = borders;
    order_.clear(), groups_.clear(), dispatches_.clear();
    find_levels();
    parent_.resize(borders.size()), chain_.resize(borders.size());
    group_.resize(std::max(group_.size(), borders.size()));
    const auto levels = uint32_t(level_begin_.size()) - 1;
    uint32_t first = 1, longest = 0;
    for (uint32_t level = 1; level < levels; level++) {
        const uint32_t together = std::max(longest, add_level(level, first));
        if (level > first && together > longest + dispatch_cost + longest_of(level)) {
            end_dispatch(first, level);
            first = level;
            longest = add_level(level, first);
        } else
            longest = together;
    }
    if (first < levels) end_dispatch(first, levels);
}

} // namespace v3doff::vp9
