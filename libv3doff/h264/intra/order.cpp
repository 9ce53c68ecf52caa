// SPDX-License-Identifier: BSD-2-Clause
#include "h264/intra/order.hpp"

#include <algorithm>

#include "h264/debug_keys.hpp"
#include "h264/intra/reference.hpp"
#include "h264/lines.hpp"

namespace v3doff::h264 {
namespace {

// What a dispatch costs, in steps of a workgroup: both as estimated for the smallest device
// (docs/performance.md).
constexpr uint32_t steps_of_a_dispatch = 2;

// A chain inside of a tile goes to a smaller u with every macroblock, or with every pair.
constexpr uint32_t most_inside = 2 * IntraOrder::tile_u;

constexpr uint8_t reads_tile_left = 1, reads_tile_above = 2, reads_tile_corner = 4;

} // namespace

// Of macroblocks in the order of decoding.
inline uint32_t IntraOrder::place(uint32_t x, uint32_t y) const {
    return pairs_ ? (y / 2 * width_ + x) * 2 + y % 2 : y * width_ + x;
}

// The place of the macroblock of a pair that has a line in column x.
inline uint32_t IntraOrder::owner(uint32_t x, uint32_t line) const {
    const bool field = field_pairs_[line / 32 * width_ + x];
    return place(x, line / 32 * 2 + (field ? line % 2 : line / 16 % 2));
}

template <typename Visit>
void IntraOrder::each_read(const IntraNode &node, Visit visit) const {
    const auto look = [&](uint32_t place) {
        if (const uint32_t other = node_at_[place]) visit(other - 1);
    };
    if (!pairs_) {
        const uint32_t at = node.y * width_ + node.x;
        if (node.reads & reads_left) look(at - 1);
        if (node.reads & reads_above) look(at - width_);
        if (node.reads & reads_corner) look(at - width_ - 1);
        if (node.reads & reads_above_right) look(at - width_ + 1);
        return;
    }
    const MacroblockLines lines(node.y, node.field, 16);
    if (node.reads & reads_left) {
        const uint32_t x = node.x - 1u, other = node.y ^ 1u;
        look(place(x, node.y));
        // Its lines are those of both if these are of the other kind.
        if (field_pairs_[node.y / 2 * width_ + x] != node.field) look(place(x, other));
    }
    const uint32_t above = lines.first - lines.step;
    if (node.reads & reads_above) look(owner(node.x, above));
    if (node.reads & reads_corner) look(owner(node.x - 1u, above));
    if (node.reads & reads_above_right) look(owner(node.x + 1u, above));
}

void IntraOrder::sort(std::span<const IntraNode> nodes) {
    raster_.resize(nodes.size());
    node_at_.assign(size_t(width_) * height_, 0);
    field_pairs_.assign(pairs_ ? node_at_.size() / 2 : 0, false);
    const auto place_of = [&](uint32_t i) { return place(nodes[i].x, nodes[i].y); };
    bool sorted = true;
    for (uint32_t i = 0; i < nodes.size(); i++) {
        raster_[i] = i;
        node_at_[place_of(i)] = i + 1;
        if (pairs_ && nodes[i].field) field_pairs_[place_of(i) / 2] = true;
        sorted &= i == 0 || place_of(i - 1) < place_of(i);
    }
    if (!sorted)
        std::sort(raster_.begin(), raster_.end(),
                  [&](uint32_t a, uint32_t b) { return place_of(a) < place_of(b); });
}

void IntraOrder::find_levels(std::span<const IntraNode> nodes) {
    level_.resize(nodes.size());
    level_dispatches_ = 0;
    for (uint32_t i : raster_) {
        uint32_t before = 0;
        each_read(nodes[i], [&](uint32_t other) { before = std::max(before, level_[other]); });
        level_[i] = before + 1;
        level_dispatches_ = std::max(level_dispatches_, level_[i]);
    }
}

void IntraOrder::find_tiles(std::span<const IntraNode> nodes) {
    const uint32_t rows = height_ >> int(pairs_), tile_rows = tile_v >> int(pairs_);
    tiles_across_ = (width_ - 1 + 2 * (rows - 1)) / tile_u + 1;
    const size_t tiles = size_t(tiles_across_) * ((rows - 1) / tile_rows + 1);
    tile_.resize(nodes.size());
    inside_.resize(nodes.size());
    tile_reads_.assign(tiles, 0);
    tile_counts_.assign(tiles * most_inside, 0);
    for (uint32_t i : raster_) {
        const IntraNode &node = nodes[i];
        const uint32_t row = uint32_t(node.y) >> int(pairs_);
        const uint32_t tile = row / tile_rows * tiles_across_ + (node.x + 2 * row) / tile_u;
        uint32_t before = 0;
        each_read(node, [&](uint32_t other) {
            if (tile_[other] == tile)
                before = std::max(before, inside_[other]);
            else
                tile_reads_[tile] |= tile_[other] == tile - 1               ? reads_tile_left
                                     : tile_[other] == tile - tiles_across_ ? reads_tile_above
                                                                            : reads_tile_corner;
        });
        tile_[i] = tile;
        inside_[i] = before + 1;
        tile_counts_[size_t(tile) * most_inside + before]++;
    }
}

// Returns how many steps the dispatches have, each as many as its longest tile.
uint32_t IntraOrder::find_tile_levels() {
    tile_level_.assign(tile_reads_.size(), 0);
    std::vector<uint32_t> most_steps; // of each level
    for (size_t tile = 0; tile < tile_reads_.size(); tile++) {
        uint32_t steps = 0;
        for (uint32_t i = 0; i < most_inside; i++)
            steps += (tile_counts_[tile * most_inside + i] + side_by_side - 1) / side_by_side;
        if (!steps) continue;
        uint32_t before = 0;
        const auto after = [&](uint8_t which, size_t distance) {
            if (tile_reads_[tile] & which) before = std::max(before, tile_level_[tile - distance]);
        };
        after(reads_tile_left, 1);
        after(reads_tile_above, tiles_across_);
        after(reads_tile_corner, tiles_across_ + 1);
        tile_level_[tile] = before + 1;
        if (most_steps.size() <= before) most_steps.resize(before + 1);
        most_steps[before] = std::max(most_steps[before], steps);
    }
    tile_dispatches_ = uint32_t(most_steps.size());
    uint32_t all = 0;
    for (uint32_t steps : most_steps)
        all += steps;
    return all;
}

void IntraOrder::build(uint32_t mb_width, uint32_t mb_height, std::span<const IntraNode> nodes,
                       bool mbaff) {
    width_ = mb_width, height_ = mb_height;
    pairs_ = mbaff;
    by_tiles_ = false;
    tile_dispatches_ = level_dispatches_ = 0;
    raster_.clear();
    if (nodes.empty()) return;
    sort(nodes);
    find_levels(nodes);
    find_tiles(nodes);
    const uint32_t steps = find_tile_levels();
    by_tiles_ = tile_dispatches_ * steps_of_a_dispatch + steps <
                level_dispatches_ * (steps_of_a_dispatch + 1);
    if (const auto asked = debug::choice(debug::h264_intra); asked && *asked > 0)
        by_tiles_ = *asked == 2;
}

} // namespace v3doff::h264
