// SPDX-License-Identifier: BSD-2-Clause
// Finds the recorded blocks in a rectangle. Blocks are aligned to their size and not larger than a
// cell, so each lies in one cell. No codec here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "picture/format.hpp"

namespace v3doff {

struct Rectangle {
    uint32_t x = 0, y = 0, width = 0, height = 0; // samples
};

template <typename Reference>
class BlockIndex {
  public:
    static constexpr uint32_t cell = 32; // samples

    void clear() {
        entries_.clear();
        for (auto &plane : planes_)
            plane.heads.clear();
    }

    // Makes room, so that adding a block does not throw. If this throws, no block has changed.
    void make_room(unsigned plane, uint32_t padded_width, uint32_t padded_height) {
        Plane &to = planes_[plane];
        if (to.heads.empty()) {
            to.cols = padded_width / cell + 1;
            to.heads.assign(size_t(to.cols) * (padded_height / cell + 1), none);
        }
        if (entries_.size() == entries_.capacity())
            entries_.reserve(std::max<size_t>(256, 2 * entries_.size()));
    }

    // padded_width and padded_height: the area that blocks of the plane can cover.
    void add(unsigned plane, uint32_t padded_width, uint32_t padded_height, uint32_t x, uint32_t y,
             uint32_t edge, Reference reference) {
        make_room(plane, padded_width, padded_height);
        Plane &to = planes_[plane];
        uint32_t &head = to.heads[size_t(y / cell) * to.cols + x / cell];
        entries_.push_back({x, y, edge, head, reference});
        head = uint32_t(entries_.size() - 1);
    }

    size_t size() const { return entries_.size(); } // all blocks that were added

    // Calls visit(reference) for each block that overlaps the rectangle, and forgets those blocks.
    template <typename Visit>
    void take(unsigned plane, const Rectangle &area, Visit visit) {
        Plane &from = planes_[plane];
        if (from.heads.empty() || !area.width || !area.height) return;
        const uint32_t rows = uint32_t(from.heads.size()) / from.cols;
        const uint32_t last_col = std::min((area.x + area.width - 1) / cell, from.cols - 1);
        const uint32_t last_row = std::min((area.y + area.height - 1) / cell, rows - 1);
        for (uint32_t row = area.y / cell; row <= last_row; row++)
            for (uint32_t col = area.x / cell; col <= last_col; col++)
                take_cell(from.heads[size_t(row) * from.cols + col], area, visit);
    }

  private:
    static constexpr uint32_t none = UINT32_MAX;
    struct Entry {
        uint32_t x, y, edge, next;
        Reference reference;
    };
    struct Plane {
        uint32_t cols = 0;
        std::vector<uint32_t> heads; // of each cell's list
    };

    template <typename Visit>
    void take_cell(uint32_t &head, const Rectangle &area, Visit visit) {
        for (uint32_t *link = &head; *link != none;) {
            const Entry &entry = entries_[*link];
            if (entry.x < area.x + area.width && area.x < entry.x + entry.edge &&
                entry.y < area.y + area.height && area.y < entry.y + entry.edge) {
                visit(entry.reference);
                *link = entry.next;
            } else {
                link = &entries_[*link].next;
            }
        }
    }

    std::vector<Entry> entries_;
    Plane planes_[max_planes];
};

} // namespace v3doff
